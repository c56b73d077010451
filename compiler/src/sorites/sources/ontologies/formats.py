"""The formats of ontologies that a spec can name."""

from __future__ import annotations

from collections.abc import Mapping

from sorites.sources.ontologies.gene_sets import REACTOME
from sorites.sources.ontologies.obo import OBO
from sorites.sources.ontologies.obographs import OBOGRAPHS
from sorites.sources.ontologies.ontology_format import OntologyFormat
from sorites.sources.ontologies.rdf import RDF
from sorites.sources.ontologies.tables import TABLE

__all__ = ["FORMATS"]

FORMATS: Mapping[str, OntologyFormat] = {
    each.name: each for each in (RDF, REACTOME, OBO, OBOGRAPHS, TABLE)
}
"""A format is a record in a file of its own, a line here, and its fields in the JSON Schema."""
