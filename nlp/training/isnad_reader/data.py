"""What the reader learns from: questions, each with sentences that answer it and sentences that do not.

English questions of TyDi QA's gold passages say which words answer; of ARCD's training questions only the paragraph is known, so that any of its
sentences may answer. `written.jsonl` has questions over articles of sport and economy, of Tunisia and of hoaxes, of which the article that they are about says the answer
in the words `gold`, or does not."""

import gzip
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isnad_base import pieces
from isnad_base.pieces import FIRST, LAST
from isnad_embed.corpus import DATA

LONGEST = 128
QUESTION, TITLE = 40, 24
"""Pieces of a question and of a title that are read, at most."""
EVERY = 9
"""Questions of TyDi QA that are left out, with the others of their passages: what weighs the reader among other signs is fitted on them."""
HARD = 8
"""Sentences of other passages with most of the question's words, of which some are drawn."""

_STOP = re.compile(r"(?<=[.!?؟])(?:\[\w{1,8}\]){0,4}[\"'”»)\]]{0,2}\s+(?=[\"'“«(\[]?[\w\u0600-\u06ff])|\n+")
_SHORT = re.compile(r"(?:\b(?:[A-Z]|Mr|Mrs|Dr|St|No|vs|ca|c|b|d|Jr|Sr|lit|approx|e\.g|i\.e)\.)$")
_WORD = re.compile(r"\w+")
ARABIC = re.compile(r"[\u0600-\u06ff]")
RARE = 12
"""Sentences that have a word by which two questions differ in what they are about, at most."""


def sentences(text: str) -> list[str]:
    """The sentences of a text, an initial or an abbreviation of English not taken for an end."""
    out: list[str] = []
    for part in _STOP.split(text):
        if out and _SHORT.search(out[-1]):
            out[-1] = f"{out[-1]} {part}"
        else:
            out.append(part)
    return [part.strip() for part in out if part.strip()]


@dataclass(frozen=True)
class Passage:
    title: str
    sentences: tuple[str, ...]
    headline: bool = False
    """Says that the title is a sentence of it that may answer."""

    def units(self) -> tuple[str, ...]:
        return (self.title, *self.sentences) if self.headline else self.sentences


@dataclass(frozen=True)
class Question:
    key: str
    text: str
    passage: int
    answers: tuple[str, ...]
    """Empty where only the passage is known."""
    answerable: bool = True

    def answered(self, sentence: str) -> bool:
        return self.answerable and (not self.answers or any(answer in sentence for answer in self.answers))


def tydi(parts: Iterable[str] = ("dev", "train")) -> tuple[list[Passage], list[Question]]:
    passages: list[Passage] = []
    questions: list[Question] = []
    places: dict[str, int] = {}
    for part in parts:
        path = DATA / "retrieval" / "tydiqa-goldp" / "english" / f"english_tydiqa_{part}.json.gz"
        with gzip.open(path, "rt", encoding="utf8") as opened:
            given = json.load(opened)["data"]
        for article in given:
            for paragraph in article["paragraphs"]:
                text = paragraph["context"]
                if text not in places:
                    places[text] = len(passages)
                    passages.append(Passage(article.get("title", "").replace("_", " "), tuple(sentences(text))))
                for asked in paragraph["qas"]:
                    answers = tuple(each["text"] for each in asked["answers"] if each["text"].strip())
                    if answers:
                        questions.append(Question(asked["id"], asked["question"].strip(), places[text], answers))
    return passages, questions


def arcd() -> tuple[list[Passage], list[Question]]:
    folder = DATA / "retrieval" / "arcd-train"
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf8").splitlines()]
    places = {row["_id"]: place for place, row in enumerate(rows)}
    passages = [Passage(row["title"], tuple(sentences(row["text"]))) for row in rows]
    texts = {
        row["_id"]: row["text"].strip(" -")
        for row in map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf8").splitlines())
    }
    listed = [line.split("\t") for line in (folder / "qrels.tsv").read_text(encoding="utf8").splitlines()[1:]]
    return passages, [Question(q, texts[q], places[p], ()) for q, p, _ in listed]


WRITTEN = Path(__file__).with_name("written.jsonl")
OTHERS_EVERY = 8
"""Of the articles of sport and economy that sentences which do not answer are drawn from."""
ABOUT = ("sport", "economy", "business")


def written() -> tuple[list[Passage], list[Question]]:
    """The questions over news that are learned from, and the passages that others are found in; those that are in the other language than another
    one with the same answer are none."""
    rows = [json.loads(line) for line in WRITTEN.read_text(encoding="utf8").splitlines()]
    listed = {row["article"] for row in rows}
    out = {row["article"] for row in rows if row["part"] != "train"}
    texts: dict[str, str] = {}
    passages: list[Passage] = []
    places: dict[str, int] = {}
    eligible = 0
    for name in ("english", "ant_v2_ar", "ant_v1_ar"):
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for row in map(json.loads, lines):
                of_topic = row["id"].startswith(("bbc-sport", "bbc-business")) or row["category"] in ABOUT
                if row["id"] in out or not (row["id"] in listed or (of_topic and name != "ant_v1_ar")):
                    continue
                eligible += of_topic
                if row["id"] not in listed and eligible % OTHERS_EVERY:
                    continue
                places[row["id"]], texts[row["id"]] = len(passages), row["text"]
                passages.append(Passage(row["title"], tuple(sentences(row["text"])), headline=True))
    questions = []
    for number, row in enumerate(rows):
        if row["article"] in out or "like" in row:
            continue
        start, end = row.get("gold", (0, 0))
        gold = texts[row["article"]][start:end]
        answers = (gold,) if gold else ()
        questions.append(Question(str(number), row["ask"], places[row["article"]], answers, bool(gold)))
    return passages, questions


def left_out(questions: Sequence[Question]) -> set[str]:
    """The keys of every so-manieth question, and of those about the same passages."""
    chosen = {question.passage for question in questions[::EVERY]}
    return {question.key for question in questions if question.passage in chosen}


class Index:
    """Sentences by their words."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.units = [(place, sentence) for place, each in enumerate(passages) for sentence in each.units()]
        self.postings: dict[str, list[int]] = defaultdict(list)
        for number, (_, sentence) in enumerate(self.units):
            for word in words(sentence):
                self.postings[word].append(number)

    def hardest(self, question: Question) -> list[tuple[int, str]]:
        """Sentences of other passages that do not answer and have most of the question's words."""
        scores: Counter[int] = Counter()
        for word in words(question.text):
            found = self.postings.get(word, [])
            if 0 < len(found) <= len(self.units) // 12:
                for number in found:
                    scores[number] += math.log(len(self.units) / len(found))
        ranked = (self.units[number] for number, _ in scores.most_common(6 * HARD))
        others = [
            unit
            for unit in ranked
            if unit[0] != question.passage and not (question.answers and question.answered(unit[1]))
        ]
        return others[:HARD]


def words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.lower()) if len(word) > 2}


@dataclass(frozen=True)
class Group:
    """Sentences under one question, as ids; the first `right` of them answer, or one of them does."""

    rows: list[list[int]]
    right: int


def ids(question: str, title: str, sentence: str) -> list[int]:
    """What is read: `<s> query: question </s> passage: title sentence </s>`, as lib/models/tasks/read puts it together."""
    asked, named, said = (
        each[1:-1] for each in pieces.encode([f"query: {question}", f"passage: {title}", sentence], LONGEST)
    )
    row = [FIRST, *asked[:QUESTION], LAST, *named[:TITLE], *said]
    return [*row[: LONGEST - 1], LAST]


def altered(question: Question, other: Question, index: Index) -> Question | None:
    """The question with its most telling word that another one has not, in the place of which stands one of the other's: what answers it does not
    answer that. None where a question has no such word."""

    def telling(own: Question, than: Question) -> str | None:
        known = words(than.text)
        rare = [word for word in _WORD.findall(own.text)[1:] if len(word) > 2 and word.lower() not in known]
        rare = [word for word in rare if ARABIC.search(word) or not word.islower()]
        counts = {word: len(index.postings.get(word.lower(), ())) for word in rare}
        seen = [word for word in rare if 0 < counts[word] <= RARE]
        return min(seen, key=counts.__getitem__) if seen else None

    word, new = telling(question, other), telling(other, question)
    if word is None or new is None or (ARABIC.search(word) is None) != (ARABIC.search(new) is None):
        return None
    return replace(question, text=question.text.replace(word, new, 1), answerable=False)


def groups(
    passages: Sequence[Passage],
    questions: Sequence[Question],
    *,
    own: int,
    others: int,
    unanswered: float,
    altered_share: float = 0,
    seed: int,
) -> list[Group]:
    """For each question a sentence that answers, up to `own` others of its passage and `others` of other passages; of a share `unanswered`
    of the questions the sentences that answer are left out, and of a share `altered_share` they stay and the question is another."""
    drawn, index = random.Random(seed), Index(passages)
    out: list[Group] = []
    for question in questions:
        passage = passages[question.passage]
        right = [each for each in passage.units() if question.answered(each)]
        rest = [each for each in passage.units() if not question.answered(each)]
        hard = index.hardest(question) if question.answerable else []
        gone = not right or drawn.random() < unanswered
        chosen = [] if gone else right if not question.answers else [drawn.choice(right)]
        asked = question
        if chosen and question.answers and drawn.random() < altered_share:
            other = altered(question, drawn.choice(questions), index)
            if other is not None:
                asked, rest, chosen = other, [*chosen, *drawn.sample(rest, min(own - 1, len(rest)))], []
        units = [(passage.title, each) for each in chosen[: own + 1]]
        kept = rest[:1] if asked is not question else []
        units += [
            (passage.title, each) for each in kept + drawn.sample(rest[len(kept) :], min(own, len(rest)) - len(kept))
        ]
        wanted = others + own - (len(units) - min(len(chosen), 1))
        units += [
            (passages[place].title, each) for place, each in drawn.sample(hard, min(max(others, wanted), len(hard)))
        ]
        if len(units) > 1:
            out.append(Group([ids(asked.text, *unit) for unit in units], len(chosen[: own + 1])))
    return out
