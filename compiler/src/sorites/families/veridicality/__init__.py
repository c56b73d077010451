"""Veridical verbs over pairs of sentences: parts to train on, composites to test.

After Yanaka, Mineshima and Inui, *Exploring Transitivity in Neural NLI Models through
Veridicality* (EACL 2021).
"""

from sorites.families.veridicality.build import build, split_names
from sorites.families.veridicality.certify import certify
from sorites.families.veridicality.check import check
from sorites.families.veridicality.describe import describe
from sorites.families.veridicality.reprove import recheck, reprove

__all__ = ["build", "certify", "check", "describe", "recheck", "reprove", "split_names"]
