"""Readers of the labelled sets. Only train, our own sentences of topics that are not held out, judged sentences of papers that are not, and most
debates are trained on; dev, our own sentences of a few topics and a fifth of the judged sentences choose and calibrate; dev-test, and the
topics, papers and debates that are held out only measure."""

import csv
import gzip
import hashlib
import json
import os
import random
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ISNAD_SHARED", ROOT.parent / "shared")) / "data"
CLAIMS = ROOT / "nlp" / "lexicon" / "claims"
POSTS = ROOT / "nlp" / "lexicon" / "posts"
CALIBRATING = ("disasters", "energy", "labour", "sport-news")
"""Topics of our own sentences that calibrate."""
JUDGED = ROOT / "nlp" / "lexicon" / "judged"
OUT = ROOT / "nlp" / "training" / "out" / "check"


@dataclass(frozen=True)
class Labelled:
    texts: list[str]
    labels: list[int]


def checkthat(lang: str, part: str) -> Labelled:
    """CheckThat! 2024 task 1: `part` is train, dev or dev-test."""
    path = DATA / "checkworthiness" / lang / f"ct24_{part}.tsv"
    with path.open(encoding="utf8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))[1:]
    return Labelled([row[-2] for row in rows], [int(row[-1] == "Yes") for row in rows])


def claims(lang: str, part: str) -> Labelled:
    """Our own sentences (nlp/lexicon/claims): `part` is train, calibration or held-out; whole topics in each."""
    topics = json.loads((CLAIMS / "topics.json").read_text(encoding="utf8"))
    parts = {
        topic: "held-out" if entry["held_out"] else "calibration" if topic in CALIBRATING else "train"
        for topic, entry in topics.items()
    }
    lines = [
        json.loads(line)
        for topic, named in parts.items()
        if named == part
        for line in (CLAIMS / f"{topic}.{lang}.jsonl").read_text(encoding="utf8").splitlines()
    ]
    return Labelled([line["text"] for line in lines], [int(line["label"] == "claim") for line in lines])


def posts(part: str) -> Labelled:
    """Our own posts (nlp/lexicon/posts), in Arabic: `part` is train or held-out; whole topics in each. Labels follow the guideline of claims."""
    topics = json.loads((POSTS / "topics.json").read_text(encoding="utf8"))
    lines = [
        json.loads(line)
        for topic, entry in topics.items()
        if entry["held_out"] == (part == "held-out")
        for line in (POSTS / f"{topic}.ar.jsonl").read_text(encoding="utf8").splitlines()
    ]
    return Labelled([line["text"] for line in lines], [int(line["label"] == "claim") for line in lines])


def debates_2019(held_out: bool) -> dict[str, Labelled]:
    """One set a debate: lines of number, speaker, sentence, label."""
    left_out = set(json.loads(Path(__file__).with_name("held-out-debates.json").read_text(encoding="utf8")))
    debates = {}
    for path in sorted((DATA / "checkworthiness/debates_2019/data/training").glob("*.tsv")):
        if (path.stem in left_out) != held_out:
            continue
        rows = [line.rstrip("\r\n").split("\t") for line in path.open(encoding="utf8") if line.strip()]
        debates[path.name] = Labelled([row[2] for row in rows], [int(row[3]) for row in rows])
    return debates


CALIBRATING_EVERY = 5
"""One judged sentence in so many calibrates."""
ARTICLES = {"ar": ("ant_v2_ar", "ant_v1_ar"), "en": ("english",)}


def judged(lang: str, part: str) -> Labelled:
    """Sentences of real articles (nlp/lexicon/judged): `part` is train, calibration or held-out; whole papers are held out. Those of `chosen` are
    trained on alone: they were drawn where the model was unsure, so no share and no threshold is told by them."""
    lines = judged_lines(lang, "held-out" if part == "held-out" else "train")
    if part != "held-out":
        lines = [line for i, line in enumerate(lines) if (i % CALIBRATING_EVERY == 0) == (part == "calibration")]
    if part == "train":
        lines += judged_lines(lang, "chosen")
    articles = texts_of(lang, {line["id"] for line in lines})
    found = [articles[line["id"]][line["start"] : line["end"]] for line in lines]
    for line, text in zip(lines, found, strict=True):
        if hashlib.sha256(text.encode()).hexdigest()[: len(line["sha256"])] != line["sha256"]:
            raise SystemExit(f"{line['id']} is not the article that was judged")
    return Labelled(found, [int(line["label"] == "claim") for line in lines])


def judged_lines(lang: str, name: str) -> list[dict]:
    path = JUDGED / f"{name}.{lang}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


PAPERS = {"ar": ("AL-", "CN-", "SK-"), "en": ("fnc-", "reut-")}
"""How the ids of articles begin whose papers are not held out."""


def unlabelled(lang: str, count: int, seed: int = 11) -> list[str]:
    """Sentences of articles of papers that are not held out, one an article."""
    end, rng, found = re.compile(r"(?<=[.!?؟])\s+"), random.Random(seed), []
    for name in ARTICLES[lang]:
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["id"].startswith(PAPERS[lang]):
                    sentences = [one for one in end.split(" ".join(row["text"].split())) if 20 <= len(one) <= 420]
                    found += rng.sample(sentences, min(1, len(sentences)))
    return rng.sample(found, min(count, len(found)))


def texts_of(lang: str, ids: set[str]) -> dict[str, str]:
    """Texts of articles by their ids, every run of white space one space."""
    found = {}
    for name in ARTICLES[lang]:
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["id"] in ids:
                    found[row["id"]] = " ".join(row["text"].split())
    return found
