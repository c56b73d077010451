"""Sense relations: gloss pairs from any WordNet, in any languages, labelled in both orders.

A spec names a lexicon, the relations to keep with their inverses, the languages, and a cascade
of filters. The task is that of "Evaluating Semantic Relation Knowledge through Bidirectional
Relation Prediction from Gloss Pairs" (2026).
"""

from sorites.families.sense_relations.build import build, split_names
from sorites.families.sense_relations.certify import certify
from sorites.families.sense_relations.check import check
from sorites.families.sense_relations.describe import describe
from sorites.families.sense_relations.reprove import reprove

__all__ = ["build", "certify", "check", "describe", "reprove", "split_names"]
