"""From a conversation to token ids, and where in them the answer begins.

The tokens of a text are in general not those of its beginning plus those of its end: a label
can merge with what stands before it. So the whole text is tokenized with each label at its
end, the context is what all of these have in common, and the rest is that label's own
tokens, however many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Message, Request, plain_text

__all__ = ["ChoicePrompt", "Encoder", "common_prefix"]


ENDING = 48
"""Characters at the end of a prompt that decide how a label after it is tokenized."""


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

    ``chat`` None means: if the tokenizer has a template. ``folds_system`` tells that the
    template knows no system turn, so that its text opens the first user turn.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, chat: bool | None = None) -> None:
        self.tokenizer = tokenizer
        if chat and not tokenizer.chat_template:
            raise ModelError("this model has no chat template; run it without --chat.")
        self.chat = bool(tokenizer.chat_template) if chat is None else chat
        self.folds_system = self.chat and not self._takes_system()
        self._bos = self._default_bos()

    def text(self, request: Request) -> str:
        """The whole prompt as text, up to where the answer begins."""
        if not self.chat:
            return plain_text(request.messages)
        return self._template(_folded(request.messages) if self.folds_system else request.messages)

    def opening(self, request: Request) -> str:
        """The text for a model that writes: where it is plain, a last space is left to the model,
        which has it in the first token of its answer.
        """
        text = self.text(request)
        return text if self.chat else text.rstrip(" ")

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids with one BOS, if the model wants one, and no EOS."""
        if not texts:
            return []
        encoded: list[list[int]] = self.tokenizer(
            list(texts), add_special_tokens=False, return_attention_mask=False, verbose=False
        )["input_ids"]
        return [self._with_bos(ids) for ids in encoded]

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
        """The text of some ids, without special tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    def _with_bos(self, ids: list[int]) -> list[int]:
        bos = self.tokenizer.bos_token_id
        if bos is None:
            return ids
        start = 0
        while ids[start : start + 2] == [bos, bos]:
            start += 1
        ids = ids[start:]
        return [bos, *ids] if self._bos and not self.chat and ids[:1] != [bos] else ids

    def _default_bos(self) -> bool:
        with_special = self.tokenizer("a", verbose=False)["input_ids"]
        bos = self.tokenizer.bos_token_id
        return bos is not None and bool(with_special) and with_special[0] == bos

    def _takes_system(self) -> bool:
        turns = [Message("system", "s y s t e m"), Message("user", "question")]
        try:
            return "s y s t e m" in self._template(turns)
        except ModelError:
            return False

    def _template(self, messages: Sequence[Message]) -> str:
        try:
            return str(
                self.tokenizer.apply_chat_template(
                    [{"role": m.role, "content": m.content} for m in messages],
                    tokenize=False,
                    add_generation_prompt=True,
                    enable_thinking=False,
                )
            )
        except (TemplateError, ValueError, TypeError) as error:
            raise ModelError(f"the model's chat template refuses the prompt: {error}") from error


def _folded(messages: Sequence[Message]) -> list[Message]:
    if messages[0].role != "system":
        return list(messages)
    opened = Message("user", f"{messages[0].content}\n\n{messages[1].content}")
    return [opened, *messages[2:]]
