"""Text to answer: every way to say it, and every way not to."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.scoring.answers import Outcome, Reader
from sorites_eval.scoring.plain import MAX_CHARACTERS

BINARY = Reader(["True", "False"])
SELECTING = Reader(["True", "False"], marker="P")
DIGITS = Reader(["1", "2", "3", "4", "5"])
LETTERS = Reader(["A", "B", "C", "D"])
YES_NO = Reader(["yes", "no"])
ENTAILMENT = Reader(["entailment", "not entailment"])
FOLLOWS = Reader(["follows", "does not follow"])
NLI = Reader(["entailment", "neutral", "contradiction"])
UNKNOWN = Reader(["True", "False", "Unknown"])
VALIDITY = Reader(["valid", "invalid"])

OUTCOMES = {
    "answer": Outcome.ANSWER,
    "answer without a selection": Outcome.ANSWER,
    "no answer": Outcome.UNREADABLE,
    "cut off": Outcome.CUT_OFF,
}


def test_replies_that_went_wrong_once(replies: Path) -> None:
    """Every line of the shared list, its label and its selection."""
    for number, line in enumerate(replies.read_text().splitlines(), 1):
        case = json.loads(line)
        reading = Reader(case["labels"], case["marker"]).read(case["reply"])
        selection = None if reading.selection is None else sorted(reading.selection)
        asked = case["marker"] is not None and reading.outcome is Outcome.ANSWER
        assert (reading.outcome, reading.label) == (OUTCOMES[case["outcome"]], case["label"]), (
            number
        )
        assert (selection if asked else None) == case["selection"], number


@pytest.mark.parametrize(
    ("reader", "text", "label"),
    [
        # Alone
        (BINARY, "True", "True"),
        (BINARY, " true\n", "True"),
        (BINARY, "FALSE!!", "False"),
        (BINARY, "(True)", "True"),
        (BINARY, "The conclusion follows. True", "True"),
        (BINARY, "The conclusion does not follow. False", "False"),
        (BINARY, "True. Yes, TRUE!", "True"),
        (BINARY, "True because newts aren't fish", "True"),
        (BINARY, "Answer True or False?\nFalse", "False"),
        (BINARY, "Okay.\n\nFalse", "False"),
        (BINARY, "False, for no premise speaks of carp.", "False"),
        (BINARY, "False. Premise 1 is true. The conclusion says too much.", "False"),
        (BINARY, "False, not True", "False"),
        (BINARY, "False. It is not true.", "False"),
        (BINARY, "Not True, but False", "False"),
        (BINARY, "True. Or rather: False.", "False"),
        (NLI, "Neutral.", "neutral"),
        (NLI, "Contradiction, as the two exclude each other.", "contradiction"),
        (YES_NO, "No.", "no"),
        (YES_NO, "Does it follow? No.", "no"),
        (YES_NO, "Yes! Every otter is a swimmer, and no otter is a newt.", "yes"),
        (UNKNOWN, "Unknown", "Unknown"),
        (DIGITS, "3 (antonym)", "3"),
        (DIGITS, "3. antonym", "3"),
        (LETTERS, "B.", "B"),
        (LETTERS, "(D)", "D"),
        (LETTERS, "B. A narrower term", "B"),
        # Announced by a word
        (BINARY, "The correct answer is: False.", "False"),
        (BINARY, "The output should be True or False. The answer is True", "True"),
        (BINARY, "So, taking all of this together, my final verdict would be False.", "False"),
        (BINARY, "I choose True", "True"),
        (BINARY, "True is the correct answer.", "True"),
        (DIGITS, "I pick option 4.", "4"),
        (DIGITS, "La respuesta es 2.", "2"),
        (DIGITS, "La réponse est 5", "5"),
        (DIGITS, "Die Antwort ist 3, denn der erste Sinn ist weiter.", "3"),
        (DIGITS, "1 ist die richtige Antwort", "1"),
        (DIGITS, "2 ist die Antwort.", "2"),
        (DIGITS, "La risposta è 1.", "1"),
        (DIGITS, "Răspunsul este 4.", "4"),
        (DIGITS, "Правильный ответ 2.", "2"),
        (DIGITS, "Η απάντηση είναι 5.", "5"),
        (DIGITS, "答案是4。", "4"),
        (DIGITS, "我选3", "3"),
        (DIGITS, "正解は２です。", "2"),
        (DIGITS, "답은 5번입니다.", "5"),
        (DIGITS, "उत्तर 2 है।", "2"),
        (DIGITS, "الجواب هو ٣", "3"),
        # Announced by a separator
        (BINARY, "It is true that otters swim: True", "True"),
        (BINARY, "It does not follow: false", "False"),
        (BINARY, "Conclusion → False", "False"),
        (BINARY, "Verdict => True", "True"),
        (BINARY, "Final - True", "True"),
        (BINARY, "It follows — true", "True"),
        (BINARY, "label=false", "False"),
        (BINARY, "Final answer: the conclusion is False.", "False"),
        (BINARY, "Answer:\n\n  True", "True"),
        (BINARY, "Vastaus: True", "True"),
        (BINARY, "Kết luận: False", "False"),
        (DIGITS, "Réponse : 2", "2"),
        (DIGITS, "Ответ: ４", "4"),
        (DIGITS, "答案：５", "5"),
        (DIGITS, "คำตอบ: 1", "1"),
        (DIGITS, "الإجابة: ٢", "2"),
        (DIGITS, "उत्तर: ३", "3"),
        (DIGITS, "Sonuç: 4'tür.", "4"),
        # Emphasised
        (BINARY, "**False**", "False"),
        (BINARY, "_False_", "False"),
        (BINARY, "Hence the conclusion of this long argument must be **False** here.", "False"),
        (BINARY, "After all that, what remains to be said is __true__", "True"),
        (BINARY, "$\\boxed{\\text{False}}$", "False"),
        (BINARY, "We get \\(\\boxed{True}\\) in the end.", "True"),
        (BINARY, "### Answer\n\n**True.**", "True"),
        (BINARY, "<b>False</b>", "False"),
        (DIGITS, "The senses stand in relation **2** to each other.", "2"),
        # A sentence of a few words
        (BINARY, "It is True", "True"),
        (BINARY, "The conclusion does not follow, so it is False", "False"),
        (BINARY, "It does not follow so False", "False"),
        (BINARY, "Based on the premises, the conclusion is true.", "True"),
        (BINARY, "That must be false", "False"),
        (BINARY, "Das ist True.", "True"),
        (BINARY, "C'est true.", "True"),
        (ENTAILMENT, "This is an entailment.", "entailment"),
        (ENTAILMENT, "It isn't an entailment.", "not entailment"),
        (ENTAILMENT, "NOT-ENTAILMENT", "not entailment"),
        (FOLLOWS, "The conclusion doesn’t follow.", "does not follow"),
        (FOLLOWS, "It follows.", "follows"),
        (DIGITS, "It is 3.", "3"),
        # In spite of a list, a condition or a report beside it
        (BINARY, "If every otter swims, x swims, so the answer is True.", "True"),
        (BINARY, "If P1, then C. The conclusion is True.", "True"),
        (BINARY, "If P1 and P2, then C: True", "True"),
        (BINARY, "I said True.", "True"),
        (BINARY, "The conclusion stated is True.", "True"),
        (BINARY, "True: P1 and P2 say so.", "True"),
        (BINARY, "Premise 1: True\nPremise 2: True\nAnswer: True", "True"),
        (UNKNOWN, "Of True, False and Unknown, the answer is Unknown.", "Unknown"),
        (DIGITS, "The choices were 1, 2 or 3. Answer: 2", "2"),
        (DIGITS, "2, and not 1", "2"),
        (DIGITS, "1. It is not 2.", "1"),
        # Dressed up
        (BINARY, "<True>", "True"),
        (BINARY, "```\nTrue\n```", "True"),
        (BINARY, '```json\n{"label": "False"}\n```', "False"),
        (BINARY, '{"reason": "No otter is true to its word.", "answer": "False"}', "False"),
        (BINARY, "[true]", "True"),
        (BINARY, "'False'", "False"),
        (BINARY, "«True»", "True"),
        (BINARY, "T\u200brue\ufeff", "True"),
        (BINARY, "\u202aFalse\u202c", "False"),
        (BINARY, "<answer>True</answer>", "True"),
        (BINARY, "<output>\nFalse\n</output>", "False"),
        (BINARY, "True<|im_end|>", "True"),
        (BINARY, "True</s>", "True"),
        (BINARY, "> True", "True"),
        (BINARY, "- Answer: False", "False"),
        (BINARY, "~~True~~ False", "False"),
        (BINARY, 'The statement "The otter swims in rivers" is true.', "True"),
        (DIGITS, "①", "1"),
        (DIGITS, "2️⃣", "2"),
        # After a thought
        (BINARY, "<thinking>True? False?</thinking>\nFalse", "False"),
        (BINARY, "<think>\n\n</think>\n\nTrue", "True"),
        (BINARY, "◁think▷It may be true.◁/think▷False", "False"),
        (BINARY, "<seed:think>True</seed:think>False", "False"),
        (BINARY, "<|START_THINKING|>True.<|END_THINKING|>False", "False"),
        (BINARY, "<|begin_of_thought|>True.<|end_of_thought|>\nFalse", "False"),
        (
            BINARY,
            "<|channel|>analysis<|message|>True?<|end|><|start|>assistant<|channel|>final"
            "<|message|>False<|return|>",
            "False",
        ),
        (BINARY, "analysisIs it true? No.assistantfinalFalse", "False"),
        (BINARY, "<think>a</think>True<think>False?</think>", "True"),
        # As models of many makers write
        (
            BINARY,
            "The answer is **False**.\n\n**Reasoning:** P1 says X is true. P2 says Y.",
            "False",
        ),
        (BINARY, "Premise 1 says that A is B. Therefore x is B. The conclusion is True.", "True"),
        (
            BINARY,
            "Let's analyze:\n1. All genes in A are in B. (True)\n2. ...\n\nFinal Answer: True",
            "True",
        ),
        (BINARY, "The statement is false because it contradicts P1.", "False"),
        (BINARY, "This is **True** because P1 and P2.", "True"),
        (BINARY, "Given the premises, the conclusion must be **True**.", "True"),
        (BINARY, "The conclusion is not necessarily true, so the answer is False.", "False"),
        (BINARY, "I believe the correct answer is False", "False"),
        (BINARY, "Answer: The conclusion is false.", "False"),
        (BINARY, "False - the premises do not support it", "False"),
        (BINARY, "false; none of the premises mention it", "False"),
        (BINARY, "True, given P1 and P2", "True"),
        (BINARY, "Wahr (True)", "True"),
        (BINARY, "It's True!", "True"),
        (BINARY, "It's false.", "False"),
        (BINARY, "Sure! The answer is: **True**", "True"),
        (BINARY, "✅ True", "True"),
        (BINARY, "❌ False", "False"),
        (BINARY, "👉 **True**", "True"),
        (BINARY, "Final answer:\n\\[\n\\boxed{\\text{True}}\n\\]", "True"),
        (BINARY, "**Answer:** True", "True"),
        (BINARY, "**Answer**: **False**.", "False"),
        (BINARY, "Answer = False", "False"),
        (BINARY, "La conclusión es False.", "False"),
        (BINARY, "La respuesta correcta es: **True**", "True"),
        (BINARY, "Die richtige Antwort lautet: False", "False"),
        (BINARY, "Je réponds True", "True"),
        (BINARY, "回答：False", "False"),
        (BINARY, "結論は False です。", "False"),
        (BINARY, "Trueです", "True"),
        (BINARY, "결론은 True입니다.", "True"),
        (BINARY, "Ответ: **False**", "False"),
        (BINARY, "Я думаю, что True", "True"),
        (BINARY, "Odpowiedź: True", "True"),
        (BINARY, "Wniosek: False", "False"),
        (DIGITS, "Class 2", "2"),
        (DIGITS, "The relation is 4 (holonym).", "4"),
        (DIGITS, "Relation: 3", "3"),
        (DIGITS, "Output: 2\n\nExplanation: Sense 1 is narrower than sense 2.", "2"),
        (DIGITS, "2 (hyponymy), not 1 (hypernymy)", "2"),
        (DIGITS, "5️⃣", "5"),
        (DIGITS, "The correct digit is 2.", "2"),
        (DIGITS, "Option 1: hypernym. Option 2: hyponym. I choose 2.", "2"),
        (DIGITS, "选项2", "2"),
        (DIGITS, "答案为3。", "3"),
        (DIGITS, "答えは「4」です。", "4"),
        (DIGITS, "답: 2", "2"),
        (DIGITS, "Відповідь – 3", "3"),
        (DIGITS, "Resposta: 1.", "1"),
        (DIGITS, "Svar: 4", "4"),
        (DIGITS, "Antwoord: 2.", "2"),
        (DIGITS, "Jawaban: 5", "5"),
        (DIGITS, "Đáp án: 3", "3"),
        (DIGITS, "Απάντηση: **2**", "2"),
        (DIGITS, "Η σωστή απάντηση είναι το 2.", "2"),
        (LETTERS, "The answer is (B).", "B"),
        (LETTERS, "The correct option is C) hypernym", "C"),
        (LETTERS, "Answer: D. None of these", "D"),
        (LETTERS, "**C**", "C"),
        (LETTERS, "I'd go with B", "B"),
        (LETTERS, "A.", "A"),
        (LETTERS, "Option A", "A"),
        (YES_NO, "Yes, it does.", "yes"),
        (YES_NO, "No, it doesn't follow.", "no"),
        (YES_NO, "The answer is no.", "no"),
        (YES_NO, '"Yes"', "yes"),
        (UNKNOWN, "Unknown. No premise mentions it.", "Unknown"),
        (UNKNOWN, "The answer is unknown", "Unknown"),
        (NLI, "The relationship is one of contradiction.", "contradiction"),
        (NLI, "Label: Neutral", "neutral"),
        (NLI, "neutral, not entailment", "neutral"),
        (NLI, "This is a case of entailment", "entailment"),
        (VALIDITY, "The argument is invalid.", "invalid"),
        (VALIDITY, "Valid", "valid"),
        (SELECTING, "Answer: True\n\nUsed premises: P2, P4", "True"),
        (SELECTING, "False", "False"),
    ],
)
def test_an_answer_in_many_words(reader: Reader, text: str, label: str | None) -> None:
    assert reader.read(text).label == label


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        # More than one
        (BINARY, "True or False"),
        (BINARY, "true/false"),
        (BINARY, "True | False"),
        (BINARY, "**True** or **False**"),
        (BINARY, "Answer: True or False"),
        (BINARY, "It is True. It is False."),
        (BINARY, "Answer: True\nSo the answer is False."),
        (BINARY, "entweder True oder False"),
        (DIGITS, "1 or 2"),
        (DIGITS, "1 = hypernym, 2 = hyponym"),
        (DIGITS, "1–3"),
        (DIGITS, "1. First, sense A.\n2. Then, sense B."),
        (LETTERS, "A: broader, B: narrower"),
        (BINARY, "Say True, or False."),
        (BINARY, "Answer True, or else False."),
        (BINARY, "Otherwise, False"),
        (BINARY, "True: 50%, False: 50%"),
        (DIGITS, "Output one digit: 1, 2 or 3."),
        (DIGITS, "Write one of 1, 2, or 3."),
        (DIGITS, "Choose among 1, 2, 3."),
        (DIGITS, '{"1": 1, "2": 1, "3": 1}'),
        (NLI, "Say entailment, neutral or contradiction."),
        (NLI, "Say one of entailment, neutral, or contradiction."),
        (NLI, "An entailment, a neutral, or a contradiction."),
        (UNKNOWN, "Answer True, False or Unknown."),
        # Said under a condition
        (BINARY, "If the premises hold, it is True; else it is False."),
        (BINARY, "If it may fail, write False."),
        (BINARY, "If P1 holds, then True"),
        (BINARY, "True, or else False"),
        (BINARY, "Wenn alles stimmt, True"),
        (BINARY, "もし正しいなら、True"),
        (DIGITS, "If the senses differ, it is 2."),
        # In the mouth of someone else
        (BINARY, "The student answered True; I cannot judge it."),
        (BINARY, "Someone said it is True."),
        (BINARY, "My friend says False."),
        (BINARY, "Anna dice True"),
        # Denied
        (BINARY, "not true"),
        (DIGITS, "1. It is not 1."),
        (BINARY, "It isn’t true."),
        (BINARY, "That cannot be true"),
        (BINARY, "It is not necessarily true"),
        (BINARY, "never false"),
        (BINARY, "It is **not** **true**."),
        (BINARY, "**True** is wrong."),
        (BINARY, "The answer is not True."),
        (BINARY, "The answer isn't False."),
        (BINARY, "Answer: not True"),
        (BINARY, "The answer is not: True"),
        (BINARY, "True? No, it is not true."),
        (BINARY, "True. No."),
        (BINARY, "True – wrong!"),
        (BINARY, "True. It is not true."),
        (BINARY, "False would be a mistake here"),
        (BINARY, "Das ist nicht True."),
        (BINARY, "Ce n'est pas true"),
        (BINARY, "No es True"),
        (BINARY, "Это не True"),
        (BINARY, "Neither True nor False."),
        (DIGITS, "答えは1ではない"),
        (DIGITS, "答案不是3"),
        (DIGITS, "정답은 1이 아닙니다"),
        # Asked about
        (BINARY, "True?"),
        (BINARY, "Is it True? Is it False?"),
        (BINARY, "So the answer is True, right?"),
        (BINARY, "¿Es True?"),
        (BINARY, "Είναι αυτό True;"),
        (BINARY, "هل هو True؟"),
        (DIGITS, "答えは1ですか"),
        (DIGITS, "答案是2吗？"),
        # Doubted
        (BINARY, "Maybe true"),
        (BINARY, "Perhaps it is False."),
        (BINARY, "It might be true"),
        (BINARY, "True, maybe."),
        (BINARY, "I wonder if it is false"),
        (BINARY, "If it is true"),
        (BINARY, "Vielleicht True"),
        (BINARY, "Peut-être True"),
        (BINARY, "The answer could be True"),
        (DIGITS, "答えは1かもしれない"),
        # Part of a sentence or of a word
        (BINARY, "It is true that the otter is a swimmer"),
        (BINARY, "True otters swim in every river of the land"),
        (BINARY, "A false step leads to a fall"),
        (BINARY, "Every premise that one could hold to be true"),
        (BINARY, "Truely"),
        (BINARY, "non-true"),
        (BINARY, "TRUE_POSITIVE"),
        (BINARY, "untrue"),
        (BINARY, "Falsehood"),
        (BINARY, "P1: Every otter is a swimmer."),
        (YES_NO, "No otter swims"),
        (YES_NO, "Yesterday"),
        (YES_NO, "In no case"),
        (FOLLOWS, "It follows from P1 that otters swim"),
        (DIGITS, "1.5"),
        (DIGITS, "21"),
        (DIGITS, "-1"),
        (DIGITS, "There are 2"),
        (DIGITS, "2 senses are given"),
        (LETTERS, "A sense that is broader"),
        (LETTERS, "Vitamin A"),
        (LETTERS, "a"),
        # Nothing of the kind
        (BINARY, "Yes"),
        (BINARY, "..."),
        (BINARY, "I cannot help with that."),
        (BINARY, "{" * 500),
        # As models of many makers write
        (BINARY, "The conclusion cannot be determined to be true."),
        (BINARY, "We cannot say whether it is True or False."),
        (BINARY, "It could be either True or False"),
        (BINARY, "I don't think it's true"),
        (BINARY, "I would not say True"),
        (BINARY, "There is no reason to believe it is true"),
        (BINARY, "The claim that it is true is unsupported"),
        (BINARY, "Definitely not False"),
        (BINARY, "True is unlikely"),
        (BINARY, "Hardly true"),
        (BINARY, "It's far from true"),
        (BINARY, "Nothing here is true"),
        (BINARY, "Can we say True? I would need more information."),
        (BINARY, "True… or is it?"),
        (BINARY, "Options: True, False"),
        (BINARY, "Please answer with True or False."),
        (BINARY, "Die Antwort lautet nicht True"),
        (BINARY, "Non, ce n'est pas False"),
        (BINARY, "答えはTrueではありません。"),
        (BINARY, "True가 아닙니다."),
        (BINARY, "Вывод не True"),
        (BINARY, "Sonuç True değil"),
        (DIGITS, "La respuesta no es 2"),
        (DIGITS, "Zwischen 1 und 2"),
        (DIGITS, "1/2"),
        (DIGITS, "10"),
        (DIGITS, "Sense 1 and sense 2 are unrelated"),
        (DIGITS, "between 2 and 4"),
        (DIGITS, "12345"),
        (DIGITS, "There is 1 relation"),
        (DIGITS, "3.0"),
        (LETTERS, "A and B"),
        (LETTERS, "Sense A is broader than sense B."),
        (YES_NO, "Not yes"),
        (YES_NO, "No one knows"),
        (YES_NO, "Yes and no"),
        (YES_NO, "No doubt about it"),
        (YES_NO, "I have no answer"),
        (NLI, "There is no contradiction"),
        (NLI, "There is a contradiction between the two"),
        (VALIDITY, "The argument is not valid."),
    ],
)
def test_no_answer_is_not_a_guess(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    assert (reading.outcome, reading.label) == (Outcome.UNREADABLE, None)


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "<think>It is true.</think>\n"])
def test_an_empty_reply_is_its_own_outcome(text: str) -> None:
    assert BINARY.read(text).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    "text",
    [
        "<think>It is",
        "<think>The answer is True.",
        "<thinking>\nAnswer: True",
        "[THINK]True",
        "<|channel|>analysis<|message|>The answer is True",
        "<think>a</think><think>True",
    ],
)
def test_a_thought_that_never_closes_was_cut_off(text: str) -> None:
    assert BINARY.read(text).outcome is Outcome.CUT_OFF


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("<True, P1, P2>", {1, 2}),
        ("True, P10", {10}),
        ("True, P123 and P100000", {123, 100_000}),
        ("true p3 and P4", {3, 4}),
        ("Because of P2 and P11, True", {2, 11}),
        ("True, P1, P1", {1}),
        ("True", set()),
        ("False. P1 says nothing of carp.", set()),
        ("True, P1; P3 (both needed)", {1, 3}),
        ("True, XP1, P2x", set()),
        ("True, P1-P3", {1, 2, 3}),
        ("True, P1 − P3", {1, 2, 3}),
        ("True, P1〜P3", {1, 2, 3}),
        ("True, P2…P4", {2, 3, 4}),
        ("True, P1 through 3", {1, 2, 3}),
        ("True, P1 bis P3", {1, 2, 3}),
        ("True, P1-P3, P5", {1, 2, 3, 5}),
        ("True, P1, 2", {1, 2}),
        ("True, P1, 2,3", {1, 2, 3}),
        ("True, P1, P2, and P5.", {1, 2, 5}),
        ("True, P1 & P2", {1, 2}),
        ("True, P1 und P2", {1, 2}),
        ("True, P1、P3", {1, 3}),
        ("True (P1, P2)", {1, 2}),
        ("True [P1, P2]", {1, 2}),
        ("**True**, **P1**, **P2**", {1, 2}),
        ("True, Ｐ１, P₂", {1, 2}),
        ("True, P_1, P_{3}", {1, 3}),
        ("True, because of premises P1 and P3", {1, 3}),
        ("True, P1, P2. P3 is not needed.", {1, 2}),
        ("True, P1 and P2, which give the conclusion", {1, 2}),
        ("Answer: True\nPremises used: P1, P3", {1, 3}),
        ("Premises: P1, P3\nAnswer: True", {1, 3}),
        ('{"answer": true, "premises": ["P1", "P4"]}', {1, 4}),
        ("True\nP1, P2", {1, 2}),
        ("True\n- P1\n- P2", {1, 2}),
        ("True. Premises: P1 and P2", {1, 2}),
        ("True (using P1 and P2)", {1, 2}),
        ("True, P1—P4", {1, 2, 3, 4}),
        ("True, P1–3", {1, 2, 3}),
        ("True, P1/P2", {1, 2}),
        ("True, P1 (P1 says that otters swim), P2", {1, 2}),
    ],
)
def test_a_selection_is_a_list_of_marked_numbers(text: str, numbers: set[int]) -> None:
    reading = SELECTING.read(text)
    assert reading.label in {"True", "False"}
    assert reading.selection == frozenset(numbers)


@pytest.mark.parametrize(
    "text",
    [
        "True, P1 but not P2",
        "True, all but P3",
        "True, alles außer P3",
        "True, everything except P2",
        "True, without P1",
        "True, P3-P1",
        "True, P1 to P900000",
        "True, P1 and the rule",
        "True, 1 and 2",
        "True, P1, P2, not P3",
        "True, P1: every otter swims",
        "True P1 P3",
        "True\n\nP1: Every otter swims.",
        "True. P1 and P3 are enough, P2 is not.",
        "True, P1 or P2 or so",
    ],
)
def test_an_unclear_selection_is_none_and_the_label_stands(text: str) -> None:
    reading = SELECTING.read(text)
    assert (reading.label, reading.selection) == ("True", None)


def test_the_longer_label_wins() -> None:
    reader = Reader(["entailed", "not entailed"])
    assert reader.read("It is not entailed").label == "not entailed"
    assert reader.read("It is entailed").label == "entailed"
    # Both begin alike, and the shorter stands first.
    kinds = Reader(["a kind", "a kind of both"])
    assert kinds.read("It is a kind of both").label == "a kind of both"
    assert kinds.read("It is a kind").label == "a kind"


def test_a_label_that_is_a_negation_denies_nothing() -> None:
    assert YES_NO.read("No.").label == "no"
    assert YES_NO.read("no yes").label is None
    assert YES_NO.read("no, no").label == "no"
    assert YES_NO.read("yes, no").label is None


def test_one_letter_labels_keep_their_case() -> None:
    assert LETTERS.read("it is B").label == "B"
    assert LETTERS.read("it is b").label is None


@pytest.mark.parametrize(
    "label", ["真", "да", "ναι", "sí", "हाँ", "C++", "n/a", "0.5", "ligne d'eau"]
)
def test_a_label_of_any_kind_alone_is_that_label(label: str) -> None:
    reader = Reader([label, "other"])
    for text in (
        label,
        f"**{label}**",
        f"Answer: {label}",
        f"{label}.",
        f"<think>x</think>{label}",
    ):
        assert reader.read(text).label == label, text


@given(st.text(max_size=300))
def test_any_text_has_one_outcome(text: str) -> None:
    reading = SELECTING.read(text)
    assert (reading.outcome is Outcome.ANSWER) == (reading.label is not None)
    assert reading.selection is None or reading.label is not None


@given(
    st.lists(
        st.sampled_from(["it", "is", "not", "otters", "so", ",", "that", "P1", "x"]), max_size=8
    )
)
def test_what_names_no_label_is_no_answer(words: list[str]) -> None:
    assert BINARY.read(" ".join(words)).label is None


@given(
    st.sampled_from(["True", "False"]),
    st.sampled_from(["\n", ". ", "! "]),
    st.text("abc ,", max_size=40),
)
def test_words_in_other_sentences_change_nothing(label: str, end: str, rest: str) -> None:
    assert BINARY.read(f"{label}{end}{rest}").label == label
    assert BINARY.read(f"{rest}{end}{label}").label == label


def test_a_long_text_is_read_to_a_limit() -> None:
    assert BINARY.read("x " * MAX_CHARACTERS + "\nTrue").outcome is Outcome.UNREADABLE


HOSTILE = [
    *("(", "*", "_", "`", "~", "$", "<", "{", "[", '"', "\\boxed{", "<think>", "</think>", "<a "),
    *(
        "True ",
        "True or ",
        "not ",
        "P1-",
        "P1 ",
        "(P1) ",
        "True, P1\n",
        ": ",
        "\n",
        "- ",
        "1.",
        "、",
    ),
    *(
        "\u0301",
        "\u200b",
        "答え",
        "a'",
        "<|channel|>a<|message|>",
        "\ufdfa",
        "**True** ",
        "\\text{",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    """Eight times the text takes no more than some 25 times as long; squared would be 64."""

    def seconds(length: int) -> float:
        text = "True, P1. " + piece * (length // len(piece))
        started = time.process_time()
        SELECTING.read(text)
        return time.process_time() - started

    small = min(seconds(2_500) for _ in range(3))
    assert min(seconds(20_000) for _ in range(2)) < 25 * small + 0.05
