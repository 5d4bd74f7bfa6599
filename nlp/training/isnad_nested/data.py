"""Sentences with nested entities: our own (nlp/lexicon/entities) and the sample of Wojood. A span counts words; `cut` says how many letters of
its first word stand before it (proclitics), where that is known."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import regex

from isnad_embed.corpus import ROOT
from isnad_ner.data import NER
from isnad_ner.tokens import tokens

LEXICON = ROOT / "nlp" / "lexicon"
TYPES = (
    "PERS", "NORP", "OCC", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "DATE", "TIME", "LANGUAGE", "WEBSITE", "LAW", "CARDINAL",
    "ORDINAL", "PERCENT", "QUANTITY", "UNIT", "MONEY", "CURR",
)  # fmt: skip
NAMES = Path(__file__).resolve().parents[1] / "lexicon" / "entities.tsv"
SEPARATOR = "$#$"
DEVELOPMENT = ("health", "social-obituaries")
"""Subjects of the training sentences that settings are chosen by."""


@dataclass(frozen=True)
class Span:
    start: int
    end: int
    type: str
    cut: int | None = None


@dataclass(frozen=True)
class Sentence:
    words: list[str]
    spans: list[Span]


def wojood(part: str) -> list[Sentence]:
    """CoNLL columns: the token, then a tag for each entity that it lies in, the outermost first."""
    out: list[Sentence] = []
    rows: list[tuple[str, list[str]]] = []
    for line in [*(NER / f"ar/wojood_sample_{part}.txt").read_text(encoding="utf8").splitlines(), ""]:
        token, *tags = line.split() or [""]
        if token == "":
            if rows:
                out.append(Sentence([word for word, _ in rows], spans_of([found for _, found in rows])))
            rows = []
        elif token != SEPARATOR:
            rows.append((token, tags))
    return out


def spans_of(tags: list[list[str]]) -> list[Span]:
    """Spans of words that each have several tags: an I- goes on with the open span of its type, and begins one where there is none."""
    out: list[Span] = []
    opened: dict[str, int] = {}

    def close(kind: str, end: int) -> None:
        out.append(Span(opened.pop(kind), end, kind))

    for place, own in enumerate([*tags, []]):
        kinds = {tag[2:] for tag in own if tag != "O"}
        begun = {tag[2:] for tag in own if tag[0] == "B"}
        for kind in [k for k in opened if k not in kinds or k in begun]:
            close(kind, place)
        for kind in sorted(kinds - opened.keys()):
            opened[kind] = place
    return sorted(out, key=lambda s: (s.start, -s.end))


def own(subjects: list[str]) -> list[Sentence]:
    return [
        sentence_of(json.loads(line))
        for subject in subjects
        for line in (LEXICON / "entities" / f"{subject}.jsonl").read_text(encoding="utf8").splitlines()
        if line
    ]


@dataclass(frozen=True)
class Name:
    """A name and the names in it."""

    words: list[str]
    inner: tuple[Span, ...] = ()


MARK = re.compile(r"\[[A-Z]+|\]|[^\[\]]+")


def name_of(marked: str) -> Name:
    """A name in which others are marked as the guideline of the sentences marks them: `جامعة [GPE دمشق]`."""
    words: list[str] = []
    inner: list[Span] = []
    opened: list[tuple[int, str]] = []
    for part in MARK.findall(marked):
        if part == "]":
            start, kind = opened.pop()
            inner.append(Span(start, len(words), kind))
        elif part.startswith("["):
            opened.append((len(words), part[1:]))
        else:
            words += tokens(part)
    return Name(words, tuple(sorted(inner, key=lambda s: (s.start, -s.end))))


def names() -> dict[str, list[Name]]:
    """Our own list of names by type."""
    out: dict[str, list[Name]] = {}
    for line in NAMES.read_text(encoding="utf8").splitlines():
        kind, name = line.split("\t")
        out.setdefault(kind, []).append(name_of(name))
    return out


def subjects(held_out: bool) -> list[str]:
    known = json.loads((LEXICON / "subjects.json").read_text(encoding="utf8"))["entities"]
    return sorted(name for name, subject in known.items() if subject["held_out"] is held_out)


def sentence_of(row: dict) -> Sentence:
    text, words, places, at = row["text"], tokens(row["text"]), [], 0
    for word in words:
        at = text.index(word, at)
        places.append((at + (word[0] == "#" and len(word) > 1), at + len(word)))
        at += len(word)
    spans = []
    for entity in row["entities"]:
        inside = [i for i, (start, end) in enumerate(places) if start < entity["end"] and end > entity["start"]]
        if inside:
            first, last = inside[0], inside[-1]
            spans.append(Span(first, last + 1, entity["type"], max(0, entity["start"] - places[first][0])))
    return Sentence(words, sorted(spans, key=lambda s: (s.start, -s.end)))


FOUR = {"PERS": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC"}
"""What nested types are among the four types of ANERcorp; of others it has some in MISC and leaves some out."""
UNCLEAR = {"NORP", "EVENT", "PRODUCT", "LAW", "FAC", "LANGUAGE", "WEBSITE"}


def four_types(sentence: Sentence) -> list[str | None]:
    """Tags of the outermost names of these types; None where another entity may be a name as well."""
    tags: list[str | None] = ["O"] * len(sentence.words)
    for span in sentence.spans:
        if span.type in UNCLEAR:
            tags[span.start : span.end] = [None] * (span.end - span.start)
    named = [s for s in sentence.spans if s.type in FOUR]
    for span in named:
        if not any(o is not span and o.start <= span.start and span.end <= o.end for o in named):
            kind = FOUR[span.type]
            tags[span.start : span.end] = [f"B-{kind}", *[f"I-{kind}"] * (span.end - span.start - 1)]
    return tags


EVERY = 10
"""Of Wojood's training sentences every tenth is kept from training, as are the subjects DEVELOPMENT of our own."""


def divided() -> tuple[list[Sentence], list[Sentence], dict[str, list[Sentence]]]:
    """Our own sentences and Wojood's to learn from; and those by which the readiness to assume an entity and its probability are fitted."""
    given = wojood("train")
    kept = [name for name in subjects(held_out=False) if name not in DEVELOPMENT]
    learned = [s for i, s in enumerate(given) if i % EVERY]
    return own(kept), learned, {"own": own(list(DEVELOPMENT)), "Wojood": given[::EVERY]}


ARABIC = regex.compile(r"^(?=\p{Script=Arabic})\p{L}")
