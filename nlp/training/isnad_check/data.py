"""Readers of the labelled sets. Only train is trained on; dev chooses and calibrates; dev-test and the debates only measure."""

import csv
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ISNAD_SHARED", ROOT.parent / "shared")) / "data"
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


def debates(folder: str, suffix: str) -> dict[str, Labelled]:
    """One set a debate: lines of number, speaker, sentence, label."""
    found = {}
    for path in sorted((DATA / "checkworthiness" / folder).glob(f"*{suffix}")):
        rows = [line.rstrip("\r\n").split("\t") for line in path.open(encoding="utf8") if line.strip()]
        found[path.name] = Labelled([row[2] for row in rows], [int(row[3]) for row in rows])
    return found


def debates_2019() -> dict[str, Labelled]:
    return debates("debates_2019/data/training", ".tsv")


def debates_2018_arabic() -> dict[str, Labelled]:
    return debates("debates_2018/arabic", ".txt")
