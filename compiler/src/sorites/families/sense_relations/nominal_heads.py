"""The share of glosses headed by a noun, by Stanza's dependency parser.

Stanza and its models are an optional extra: without them a spec that asks for the share is an
error, not a card with a gap, so that a spec makes the same release wherever it compiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sorites.errors import SoritesError

__all__ = ["is_nominal", "nominal_heads"]

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})


def nominal_heads(glosses: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Language to the share, from 0 to 1, of its glosses whose first head is nominal.

    Raises SoritesError when Stanza or a language's models are not installed.
    """
    try:
        import stanza
    except ImportError as error:
        raise SoritesError(
            "`statistics.nominal_heads` needs Stanza: pip install 'sorites[stanza]', or set it "
            "to false"
        ) from error
    shares: dict[str, float] = {}
    for language, texts in glosses.items():
        try:
            pipeline = stanza.Pipeline(
                language,
                processors="tokenize,pos,lemma,depparse",
                download_method=None,
                use_gpu=False,
                verbose=False,
            )
        except Exception as error:  # Stanza raises many kinds for a model that is not there
            raise SoritesError(
                f"`statistics.nominal_heads` needs Stanza's models for '{language}': "
                f"python -c \"import stanza; stanza.download('{language}')\", or set it to false"
            ) from error
        documents = pipeline.bulk_process(list(texts))
        nominal = sum(
            is_nominal((word.head, word.upos) for word in document.sentences[0].words)
            for document in documents
            if document.sentences
        )
        shares[language] = round(nominal / len(texts), 3)
    return shares


def is_nominal(words: Iterable[tuple[int, str]]) -> bool:
    """Whether the root of a sentence is a noun, a name or a pronoun.

    ``words`` are (position of the head, 0 for the root; universal part of speech).

    >>> is_nominal([(2, "DET"), (0, "NOUN")])
    True
    """
    return any(head == 0 and part in _NOMINAL for head, part in words)
