"""Readers of the labelled sets. Only train, our own sentences of topics that are not held out and most debates are trained on; dev and our own
sentences of two topics choose and calibrate; dev-test, the topics and the debates that are held out only measure."""

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ISNAD_SHARED", ROOT.parent / "shared")) / "data"
CLAIMS = ROOT / "nlp" / "lexicon" / "claims"
POSTS = ROOT / "nlp" / "lexicon" / "posts"
CALIBRATING = ("energy", "labour")
"""Topics of our own sentences that calibrate."""
OUT = ROOT / "nlp" / "training" / "out" / "check"


CLOSE = ("promise", "prediction", "opinion", "call", "announcement", "quote", "record", "cause", "law")
"""Kinds that the news mixes up: what somebody said is one of them by what was said."""


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


def claims(lang: str, part: str, copies: int = 1) -> Labelled:
    """Our own sentences (nlp/lexicon/claims): `part` is train, calibration or held-out; whole topics in each. Of close kinds, `copies`."""
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
    lines = [line for line in lines for _ in range(copies if line["kind"] in CLOSE else 1)]
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
