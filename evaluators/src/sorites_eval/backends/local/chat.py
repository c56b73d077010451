"""A model's chat template: from turns to text, up to where the answer begins.

Templates differ in what they take and what they silently drop, so each is tried on turns whose
text is known before it is trusted, and every prompt must hold its turns word for word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerBase

from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Message

__all__ = ["ChatTemplate"]

_SYSTEM, _QUESTION, _ANSWER = "s y s t e m", "q u e s t i o n", "a n s w e r"
_OPENED = re.compile(
    r"[<\[◁]\|?(?:[\w:-]+[ _])?(?:\w+:)?(?:think|thought|reason)\w*\|?[>\]▷]", re.IGNORECASE
)
"""The tag that opens a thought, as models write it: <think>, [THINK], <|begin_of_thought|>, …"""


class ChatTemplate:
    """The template of one tokenizer, with the variables that it is given.

    ``folds_system`` tells that it knows no system turn, so that this text opens the first user
    turn; ``in_parts`` that a turn's content must be a list of parts. ``thought`` is the tag of a
    thought that it leaves open for the answer, or empty. ``before_choice`` is what the template
    itself puts between that place and an answer: it closes the thought, or opens the channel of
    the answer. None where that cannot be told. Raises ModelError if the template drops questions.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerBase, variables: Mapping[str, object] | None = None
    ) -> None:
        self._tokenizer = tokenizer
        self._variables = {"enable_thinking": False, **(variables or {})}
        self.in_parts = self._needs_parts()
        self.folds_system = not self._holds(
            [Message("system", _SYSTEM), Message("user", _QUESTION)], _SYSTEM
        )
        tail = self._render([Message("user", _QUESTION)]).rpartition(_QUESTION)[2]
        self.thought = _left_open(tail)
        self.before_choice = self._before_choice(tail)

    def text(self, messages: Sequence[Message], *, choice: bool) -> str:
        """The prompt up to the answer; for a ``choice`` with no thought left open.

        Raises ModelError if the template refuses the turns or drops any of their text, or if a
        choice would be scored inside a thought.
        """
        if choice and self.before_choice is None:
            raise ModelError(
                f"the model's chat template opens a thought ({self.thought}) and does not show how "
                "to close it, so no label can be scored. Use --decode to let the model write, or "
                "--no-chat."
            )
        turns = _folded(messages) if self.folds_system else messages
        text = self._render(turns)
        start = 0
        for turn in turns:
            found = text.find(turn.content, start)
            if found < 0:
                raise ModelError(
                    f"the model's chat template drops or changes the text of the {turn.role} turn: "
                    f'"{turn.content[:60]}". Use --no-chat to ask with plain text.'
                )
            start = found + len(turn.content)
        return text + (self.before_choice or "") if choice else text

    def _needs_parts(self) -> bool:
        question = [Message("user", _QUESTION)]
        self.in_parts = False
        plain: ModelError | None = None
        for in_parts in (False, True):
            self.in_parts = in_parts
            try:
                if _QUESTION in self._render(question):
                    return in_parts
            except ModelError as error:
                plain = plain or error
        raise plain or ModelError(
            "the model's chat template drops the question, given as text and as parts alike. "
            "Use --no-chat to ask with plain text."
        )

    def _holds(self, turns: Sequence[Message], text: str) -> bool:
        try:
            return text in self._render(turns)
        except ModelError:
            return False

    def _before_choice(self, tail: str) -> str | None:
        """What stands between the end of a prompt and an answer, by the template's own example."""
        turns = [Message("user", _QUESTION), Message("assistant", _ANSWER)]
        try:
            shown = self._render(turns, answering=False)
        except ModelError:
            shown = ""
        lead = shown.rpartition(_ANSWER)[0].rpartition(_QUESTION)[2]
        if lead.startswith(tail) and lead[len(tail) :].strip() and not _left_open(lead):
            return lead[len(tail) :]
        if not self.thought:
            return ""
        closing = next((tag for tag in _closings(self.thought) if self._knows(tag)), None)
        if closing is None:
            return None
        return f"\n{closing}\n\n" if tail.endswith("\n") else closing

    def _knows(self, tag: str) -> bool:
        ids = self._tokenizer.convert_tokens_to_ids(tag)
        known = ids is not None and ids != self._tokenizer.unk_token_id
        return known or tag in str(self._tokenizer.chat_template)

    def _render(self, messages: Sequence[Message], *, answering: bool = True) -> str:
        turns: list[dict[str, object]] = [
            {
                "role": m.role,
                "content": [{"type": "text", "text": m.content}] if self.in_parts else m.content,
            }
            for m in messages
        ]
        template: Callable[..., object] = self._tokenizer.apply_chat_template
        try:
            options = {**self._variables, "tokenize": False, "add_generation_prompt": answering}
            return str(template(turns, **options))
        except (TemplateError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"the model's chat template refuses the prompt: {error}") from error


def _left_open(text: str) -> str:
    """The tag of a thought that a text opens and does not close, or empty."""
    *_, last = (None, *_OPENED.finditer(text))
    if last is None or any(closing in text[last.end() :] for closing in _closings(last[0])):
        return ""
    closes = "/" in last[0] or re.search(r"\bend|END|_end", last[0])
    return "" if closes else last[0]


def _closings(tag: str) -> list[str]:
    """How a thought that a tag opens may be closed, by the habits of writing such tags."""
    found = [tag[0] + "/" + tag[1:]]
    for opens, closes in (("begin", "end"), ("start", "end"), ("BEGIN", "END"), ("START", "END")):
        if opens in tag:
            found.append(tag.replace(opens, closes))
    return found


def _folded(messages: Sequence[Message]) -> list[Message]:
    if messages[0].role != "system":
        return list(messages)
    opened = Message("user", f"{messages[0].content}\n\n{messages[1].content}")
    return [opened, *messages[2:]]
