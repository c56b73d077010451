"""Chat templates of every habit: no turn is lost, and no choice is scored inside a thought."""

from __future__ import annotations

import copy

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.chat import ChatTemplate
from sorites_eval.backends.local.tokens import Encoder, own_beginning
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Message, Request

TURNS = (
    Message("system", "Be brief."),
    Message("user", "Is it so?"),
    Message("assistant", "True"),
    Message("user", "And this?"),
)
REQUEST = Request("i1", "only", TURNS, "x", "True")
EACH = "{% for m in messages %}<{{ m.role }}>"
PARTS = (
    EACH + "{% for p in m.content %}{% if p.type %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}"
)
PLAIN = EACH + "{{ m.content }}{% endfor %}"
PROMPT = "{% if add_generation_prompt %}<assistant>{% endif %}"
THINKS = "{% if add_generation_prompt %}<assistant><think>\n{% endif %}"


def encoder(tokenizers: dict[str, object], template: str, **variables: object) -> Encoder:
    tokenizer = copy.deepcopy(tokenizers["bpe"])
    tokenizer.chat_template = template
    return Encoder(tokenizer, None, variables)


def test_a_template_that_takes_parts_gets_parts(tokenizers: dict[str, object]) -> None:
    made = encoder(tokenizers, PARTS + PROMPT)
    assert made.template is not None
    assert made.template.in_parts
    assert made.text(REQUEST) == (
        "<system>Be brief.<user>Is it so?<assistant>True<user>And this?<assistant>"
    )


def test_a_template_that_drops_every_question_is_refused(tokenizers: dict[str, object]) -> None:
    with pytest.raises(ModelError) as caught:
        encoder(tokenizers, EACH + "{% endfor %}" + PROMPT)
    assert str(caught.value) == (
        "the model's chat template drops the question, given as text and as parts alike. Use "
        "--no-chat to ask with plain text."
    )


def test_a_template_that_drops_an_earlier_turn_is_refused(tokenizers: dict[str, object]) -> None:
    made = encoder(tokenizers, "<user>{{ messages[-1].content }}" + PROMPT)
    with pytest.raises(ModelError) as caught:
        made.text(REQUEST)
    assert str(caught.value) == (
        "the model's chat template drops or changes the text of the user turn: \"Be brief.\n\n"
        'Is it so?". Use --no-chat to ask with plain text.'
    )


def test_a_template_may_not_change_a_question(tokenizers: dict[str, object]) -> None:
    made = encoder(tokenizers, EACH + "{{ m.content | replace('this', 'that') }}{% endfor %}")
    with pytest.raises(ModelError, match=r'text of the user turn: "And this\?"'):
        made.text(REQUEST)


def test_a_thought_left_open_is_closed_before_a_choice(tokenizers: dict[str, object]) -> None:
    shows = "{# <think> … </think> #}"
    made = encoder(tokenizers, shows + PLAIN + THINKS)
    assert made.thought == "<think>"
    assert made.text(REQUEST).endswith("And this?<assistant><think>\n\n</think>\n\n")
    assert made.opening(REQUEST).endswith("And this?<assistant><think>\n")


def test_a_template_that_shows_how_it_closes_a_thought_is_followed(
    tokenizers: dict[str, object],
) -> None:
    shows = (
        "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}<think>\nnone"
        "\n</think>\n{% endif %}{{ m.content }}{% endfor %}"
    )
    made = encoder(tokenizers, shows + THINKS)
    assert made.text(REQUEST).endswith("And this?<assistant><think>\nnone\n</think>\n")


def test_a_channel_is_opened_before_a_choice(tokenizers: dict[str, object]) -> None:
    channels = (
        "{% for m in messages %}<|start|>{{ m.role }}{% if m.role == 'assistant' %}"
        "<|channel|>final{% endif %}<|message|>{{ m.content }}<|end|>{% endfor %}"
        "{% if add_generation_prompt %}<|start|>assistant{% endif %}"
    )
    made = encoder(tokenizers, channels)
    assert made.text(REQUEST).endswith("<|start|>assistant<|channel|>final<|message|>")
    assert made.opening(REQUEST).endswith("<|end|><|start|>assistant")


@pytest.mark.parametrize(
    ("tag", "closing"),
    [
        ("[THINK]", "[/THINK]"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<seed:think>", "</seed:think>"),
        ("◁think▷", "◁/think▷"),
    ],
)
def test_thoughts_open_and_close_in_many_ways(
    tokenizers: dict[str, object], tag: str, closing: str
) -> None:
    opens = PLAIN + "{% if add_generation_prompt %}" + tag + "{% endif %}"
    made = encoder(tokenizers, "{# " + closing + " #}" + opens)
    assert made.thought == tag
    assert made.text(REQUEST).endswith(tag + closing)
    closed = encoder(tokenizers, PLAIN + PROMPT + tag + closing)
    assert closed.thought == ""
    assert closed.text(REQUEST).endswith("<assistant>" + tag + closing)
    unknown = encoder(tokenizers, opens)
    with pytest.raises(ModelError) as caught:
        unknown.text(REQUEST)
    assert str(caught.value) == (
        f"the model's chat template opens a thought ({tag}) and does not show how to close it, so "
        "no label can be scored. Use --decode to let the model write, or --no-chat."
    )
    assert unknown.opening(REQUEST).endswith(tag)


def test_variables_reach_the_template(tokenizers: dict[str, object]) -> None:
    asks = PLAIN + PROMPT + "{% if enable_thinking %}<think>{% else %}{{ effort }}{% endif %}"
    assert encoder(tokenizers, asks, effort="low").text(REQUEST).endswith("<assistant>low")
    thinking = encoder(tokenizers, asks, enable_thinking=True)
    assert thinking.opening(REQUEST).endswith("<assistant><think>")


def test_a_tokenizers_own_beginning_is_kept(tokenizers: dict[str, object]) -> None:
    """Tokens before a text that are not BOS, as in GLM: [gMASK]<sop>."""
    from tokenizers import processors

    tokenizer = copy.deepcopy(tokenizers["bpe"])
    tokenizer.add_special_tokens({"additional_special_tokens": ["[gMASK]", "<sop>"]})
    ids = tokenizer.convert_tokens_to_ids(["[gMASK]", "<sop>"])
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[gMASK] <sop> $A", special_tokens=list(zip(["[gMASK]", "<sop>"], ids, strict=True))
    )
    assert own_beginning(tokenizer) == ids
    made = Encoder(tokenizer)
    (row,) = made.ids(["Every otter swims."])
    assert row[:2] == ids
    assert made.ids(["[gMASK]<sop>Every otter swims."]) == [row]
    (prompt,) = made.choices(["Every otter swims. Answer: "], ["True", "False"])
    assert list(prompt.context[:2]) == ids


def test_marks_of_a_thought_stay_in_the_text(tokenizers: dict[str, object]) -> None:
    tokenizer = copy.deepcopy(tokenizers["bpe"])
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|END_THINKING|>", "<|x|>"]})
    made = Encoder(tokenizer)
    ids = tokenizer("so<|x|><|END_THINKING|>True<|im_end|>", add_special_tokens=False)["input_ids"]
    assert made.decode(ids) == "so<|END_THINKING|>True"
    assert made.decode(tokenizer("so<|x|>True")["input_ids"]) == "soTrue"


def test_a_template_that_cannot_be_tried_says_why(tokenizers: dict[str, object]) -> None:
    tokenizer = copy.deepcopy(tokenizers["bpe"])
    tokenizer.chat_template = "{{ raise_exception('closed today') }}"
    with pytest.raises(ModelError) as caught:
        ChatTemplate(tokenizer)
    assert str(caught.value) == "the model's chat template refuses the prompt: closed today"
