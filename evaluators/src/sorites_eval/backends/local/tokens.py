"""From a conversation to token ids, and where in them the answer begins.

The tokens of a text are in general not those of its beginning plus those of its end: a label
can merge with what stands before it. So the whole text is tokenized with each label at its
end, the context is what all of these have in common, and the rest is that label's own
tokens, however many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from sorites_eval.backends.local.chat import ChatTemplate
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request, plain_text

__all__ = ["ChoicePrompt", "Encoder", "common_prefix", "own_beginning"]


ENDING = 48
"""Characters at the end of a prompt that decide how a label after it is tokenized."""


_PARTS = re.compile(r"think|thought|reason|channel|<\|message\|>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChoicePrompt:
    """A prompt and its possible answers as ids: ``labels`` are in the task's order."""

    context: tuple[int, ...]
    labels: tuple[tuple[int, ...], ...]


def common_prefix(sequences: Sequence[tuple[int, ...]]) -> int:
    """How many ids all sequences begin with in common.

    >>> common_prefix([(1, 2, 3), (1, 2, 4, 5)])
    2
    """
    first, last = min(sequences), max(sequences)
    length = 0
    for a, b in zip(first, last, strict=False):
        if a != b:
            break
        length += 1
    return length


class Encoder:
    """Tokenizes requests for one model, with its chat template if it has one.

    ``chat`` None means: if the tokenizer has a template. ``variables`` are given to it.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        chat: bool | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        if chat and not tokenizer.chat_template:
            raise ModelError("this model has no chat template; run it without --chat.")
        self.chat = bool(tokenizer.chat_template) if chat is None else chat
        self.template = ChatTemplate(tokenizer, variables) if self.chat else None
        self._beginning = own_beginning(tokenizer)
        self._kept = _kept_marks(tokenizer)

    @property
    def system(self) -> str:
        """What becomes of the system text."""
        if self.template is None:
            return "plain text: the model has no chat template or was asked without it"
        return "opens the first user turn" if self.template.folds_system else "system turn"

    @property
    def thought(self) -> str:
        """The tag of a thought in which the model begins to write, or empty."""
        return self.template.thought if self.template else ""

    def text(self, request: Request) -> str:
        """The whole prompt as text, up to where a label is to be scored: outside any thought."""
        if self.template is None:
            return plain_text(request.messages)
        return self.template.text(request.messages, choice=True)

    def opening(self, request: Request) -> str:
        """The text for a model that writes: where it is plain, a last space is left to the model,
        which has it in the first token of its answer.
        """
        if self.template is None:
            return plain_text(request.messages).rstrip(" ")
        return self.template.text(request.messages, choice=False)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids with what the tokenizer puts before a text, once, and no EOS."""
        if not texts:
            return []
        encoded: list[list[int]] = self.tokenizer(
            list(texts), add_special_tokens=False, return_attention_mask=False, verbose=False
        )["input_ids"]
        return [self._begun(ids) for ids in encoded]

    def choices(self, texts: Sequence[str], labels: Sequence[str]) -> list[ChoicePrompt]:
        """For each text, its context and each label's tokens after it.

        Every text is tokenized whole with the first label at its end. What the labels become is
        worked out from whole texts once for each ending of ``ENDING`` characters: no tokenizer
        looks further across words.
        """
        known: dict[str, tuple[tuple[int, ...], ...]] = {}
        prompts: list[ChoicePrompt] = []
        for text, ids in zip(texts, self.ids([t + labels[0] for t in texts]), strict=True):
            own = known.get(text[-ENDING:], ())
            if not own or tuple(ids[-len(own[0]) :]) != own[0]:
                rows = [tuple(row) for row in self.ids([text + label for label in labels])]
                shared = common_prefix(rows)
                own = known[text[-ENDING:]] = tuple(row[shared:] for row in rows)
            context = tuple(ids[: len(ids) - len(own[0])])
            prompts.append(ChoicePrompt(context, own))
        return prompts

    def check(self, prompt: ChoicePrompt, labels: Sequence[str]) -> None:
        """Raise ModelError if this tokenizer cannot tell the labels apart by their tokens."""
        if not prompt.context:
            raise ModelError("the prompt has no token before the answer, so nothing can be scored.")
        for label, own in zip(labels, prompt.labels, strict=True):
            for other, tokens in zip(labels, prompt.labels, strict=True):
                if label != other and tokens[: len(own)] == own:
                    raise ModelError(
                        f'the tokens of the label "{label}" begin those of "{other}", so their '
                        "probabilities cannot be compared. Use --decode to let the model write."
                    )

    def spellings(self, label: str) -> frozenset[int]:
        """Single tokens that write a label: with a space before it, in another case.

        A label of one letter keeps its case.
        """
        cases = {label} if len(label) == 1 else {label, label.lower(), label.upper(), label.title()}
        found: set[int] = set()
        for text in cases:
            for spelled in (text, f" {text}"):
                ids = self.tokenizer(spelled, add_special_tokens=False, verbose=False)["input_ids"]
                if len(ids) == 1 and self.decode(ids).strip().casefold() == label.casefold():
                    found.add(ids[0])
        return frozenset(found)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some ids, without special tokens but those that part a thought."""
        some = list(ids)
        if self._kept.isdisjoint(some):
            return str(self.tokenizer.decode(some, skip_special_tokens=True))
        special = set(self.tokenizer.all_special_ids) - self._kept
        shown = [token for token in some if token not in special]
        return str(self.tokenizer.decode(shown, skip_special_tokens=False))

    def _begun(self, ids: list[int]) -> list[int]:
        bos = self.tokenizer.bos_token_id
        start = 0
        while bos is not None and ids[start : start + 2] == [bos, bos]:
            start += 1
        ids = ids[start:]
        own = self._beginning
        return ids if self.chat or ids[: len(own)] == own else [*own, *ids]


def own_beginning(tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """What a tokenizer puts before every text: nothing, one BOS, or tokens of its own."""
    for text in ("a", "1"):
        bare: list[int] = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        whole: list[int] = tokenizer(text, verbose=False)["input_ids"]
        for place in range(len(whole) - len(bare) + 1):
            if bare and whole[place : place + len(bare)] == bare:
                return whole[:place]
    return []


def _kept_marks(tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Special tokens that part a thought or a channel from the answer, and must stay for that."""
    ids = tokenizer.all_special_ids
    texts = tokenizer.convert_ids_to_tokens(ids)
    return frozenset(n for n, text in zip(ids, texts, strict=True) if _PARTS.search(str(text)))
