"""Argument schemes: arguments over the classes of an ontology, and their like that do not hold.

After SylloBio-NLI (Wysocka et al., 2025, sections 2 and 3 and appendices A to G), with every
label proved and the faults of the published generator mended.
"""

from sorites.families.argument_schemes.build import build, split_names
from sorites.families.argument_schemes.certify import certify
from sorites.families.argument_schemes.check import check
from sorites.families.argument_schemes.describe import describe
from sorites.families.argument_schemes.reprove import recheck, reprove

__all__ = ["build", "certify", "check", "describe", "recheck", "reprove", "split_names"]
