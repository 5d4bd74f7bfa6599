"""The reader's files: the graph, checked against PyTorch; a reference for the tests of the platform; and the card."""

import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch

from isnad_base import pieces, published
from isnad_base.published import WIDTH
from isnad_base.teacher import padded
from isnad_embed.corpus import ROOT
from isnad_rerank.export import session
from isnad_rerank.graph import Graph
from weights import provenance

from . import data
from .graph import reader_graph
from .model import Reader

NAME = "reader-ar-en"
LOWER = "rerank-ar-en"
"""The model whose lower layers it reads with."""
FILES = ("model.onnx", "reference.json")
MOST_APART = 0.5
"""Of a score as the graph gives it from the one that PyTorch gives in floats, at most."""
DATA_SETS = [
    ("multilingual-e5-small (weights)", "MIT", "the lower layers as published; where the others start from"),
    ("TyDi QA, gold passages, English", "Apache-2.0; text CC BY-SA 3.0", "training, but for every ninth question"),
    ("ARCD, train", "MIT; text CC BY-SA 3.0", "training: which paragraph answers"),
    (
        "ANT v2 and BBC news, sport and economy",
        "texts © publishers",
        "training: texts of 120 articles under questions of our own (written.jsonl)",
    ),
]
QUESTIONS = ["متى تأسست جامعة القاهرة؟", "Who raised interest rates?"]
SENTENCES = [
    ("جامعة القاهرة", "تأسست جامعة القاهرة في عام ١٩٠٨، وكانت تسمى الجامعة المصرية."),
    ("جامعة القاهرة", "تضم الجامعة كليات كثيرة."),
    ("", "The central bank raised interest rates to slow inflation. " * 12),
    ("Rates", "Opponents were quick to call for another vote."),
    ("", ""),
]
"""Whose scores the platform's tests compare."""


def scores(graph: Graph, rows: list[list[int]]) -> np.ndarray:
    own = pieces.rows().numpy()
    with tempfile.TemporaryDirectory() as folder:
        run = session(graph, Path(folder))
        return np.array([run.run(None, {"words": own[ids][None]})[0][0, 0] for ids in rows])


def export(folder: Path, model: Reader) -> None:
    """Ends with an AssertionError when the graph says another thing than PyTorch."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = reader_graph(model, published.read())
    onnx.save(graph.model, folder / "model.onnx")
    rows = [data.ids(question, *unit) for question in QUESTIONS for unit in SENTENCES]
    with torch.inference_mode():
        told = model(padded(rows)).numpy()
    given = scores(graph, rows)
    apart = float(np.abs(given - told).max())
    assert apart < MOST_APART, (given, told)
    reference = {
        "questions": QUESTIONS,
        "sentences": [{"title": title, "text": text} for title, text in SENTENCES],
        "scores": given.reshape(len(QUESTIONS), -1).astype(float).round(3).tolist(),
    }
    (folder / "reference.json").write_text(json.dumps(reference) + "\n", encoding="utf8")
    files = {}
    for name in FILES:
        held = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(held).hexdigest(), "bytes": len(held)}
    lower = json.loads((ROOT / "nlp" / "models" / LOWER / "model.json").read_text(encoding="utf8"))
    told_of = [files["model.onnx"]["sha256"], lower["files"]["weights.bin"]["sha256"], lower["pieces"]]
    card = {
        "name": folder.name,
        "revision": hashlib.sha256(json.dumps(told_of).encode()).hexdigest()[:8],
        "task": "read",
        "languages": ["ar", "en"],
        "description": "Reads a question and a sentence under its headline together, and says how surely the sentence answers. Eight layers of "
        "multilingual-e5-small: the lower four are those of rerank-ar-en, the others are trained. Arabic and English.",
        "licence": "Apache-2.0",
        "architecture": "encoder-pair",
        "dims": WIDTH,
        "max_tokens": data.LONGEST,
        "prefixes": {"query": "query: ", "passage": "passage: "},
        "pieces": lower["pieces"],
        "lower": {"model": LOWER, "layers": model.frozen, "weights": lower["files"]["weights.bin"]["sha256"]},
        "files": files,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": "bun run train reader",
        "measured_by": "bun run eval --task answers-news",
        "metrics": [
            {
                "set": "the texts of reference.json, the graph in int8 against PyTorch in floats",
                "metric": "largest difference of scores",
                "value": round(apart, 4),
            }
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    print(f"the graph's scores are within {apart:.3f} of PyTorch's")
