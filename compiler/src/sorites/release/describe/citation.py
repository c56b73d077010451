"""How a release is cited: by the papers that its spec names, else by itself."""

from __future__ import annotations

from sorites.specfile.model import Spec

__all__ = ["citation"]


def citation(spec: Spec) -> str:
    """BibTeX entries, with an empty line between them."""
    if spec.citations:
        return "\n\n".join(text.strip() for text in spec.citations.values())
    fields = [("title", spec.title), ("version", str(spec.version))]
    if spec.card.date:
        fields.append(("year", spec.card.date[:4]))
    if spec.card.home:
        fields.append(("howpublished", f"https://huggingface.co/datasets/{spec.card.home}"))
    fields.append(("note", "Compiled by Sorites from a declarative spec"))
    width = max(len(name) for name, _ in fields)
    lines = [f"  {name:<{width}} = {{{_escaped(value)}}}" for name, value in fields]
    return "\n".join([f"@misc{{{spec.name},", ",\n".join(lines), "}"])


def _escaped(text: str) -> str:
    """A text in which no character is one of BibTeX's own."""
    return "".join(f"\\{c}" if c in "{}%&#_$" else c for c in text)
