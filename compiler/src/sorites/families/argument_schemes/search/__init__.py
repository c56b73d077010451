"""Search: classes and individuals under which premises are true in an ontology."""
