"""Other people's labels: their arguments read, proved, and released with the labels that hold."""

from sorites.families.audit.build import build
from sorites.families.audit.check import check
from sorites.families.audit.describe import describe
from sorites.families.audit.reprove import reprove

__all__ = ["build", "check", "describe", "reprove"]
