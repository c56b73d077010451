"""Veridical verbs over pairs of sentences: parts to train on, composites to test.

After Yanaka, Mineshima and Inui, *Exploring Transitivity in Neural NLI Models through
Veridicality* (EACL 2021).
"""

from compiler.families.veridicality.build import build
from compiler.families.veridicality.check import check
from compiler.families.veridicality.reprove import reprove

__all__ = ["build", "check", "reprove"]
