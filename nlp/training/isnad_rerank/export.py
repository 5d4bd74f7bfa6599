"""The reranker's files: both graphs, int8 with fixed ranges, checked against PyTorch; a reference for the tests of the platform; and the card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from isnad_base import pieces
from isnad_base.graph import Ranges
from weights import provenance

from .data import Lists
from .graph import match_graph, model_graph
from .matching import POWER, STEP, STRETCH, WINDOW, Matching
from .model import Judge
from .numbers import FEATURES, Table, beside
from .reader import Reader, sequence
from .words import PASSAGE_TOKENS, QUERY_PIECES, QUERY_TOKENS, Reading, Text

FILES = ("model.onnx", "match.onnx", "reference.json")
COMPARED = 60
"""Lists of which the graph is compared with PyTorch."""
LONGEST = max(QUERY_PIECES, STRETCH) + 2
DATA_SETS = [
    (
        "multilingual-e5-small (weights)",
        "MIT",
        "the first two of its layers, which the contextual ones start from; all of them teach",
    ),
    (
        "ANT corpus v1 and v2 (Arabic news of 2017 and 2018)",
        "Apache-2.0; text of the publishers",
        "questions, keywords, titles and summaries made of articles, with their passages",
    ),
    ("Reuters-21578, BBC, CNN, FNC-1 (English news)", "research use; text of the publishers", "the same"),
    (
        "static-ar-en-256 of this repository",
        "Apache-2.0",
        "its rows, read from its own files, for matching; which words are used alike, for rewording",
    ),
]


def session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def match_inputs(matching: Matching, query: Text, passages: list[Text], features: np.ndarray) -> dict[str, np.ndarray]:
    """As lib/inference/tasks/rerank/encoder.ts makes them."""
    known, places = np.unique(np.concatenate([query.tokens, *(p.tokens for p in passages)]), return_inverse=True)
    asked, *rest = np.split(places, np.cumsum([len(query.tokens), *(len(p.tokens) for p in passages)])[:-1])
    length = -(-max(WINDOW, *map(len, rest)) // STEP) * STEP
    ids = np.zeros((len(passages), length), np.int32)
    weights = np.zeros(ids.shape, np.float32)
    for row, own in enumerate(rest):
        _, back, counts = np.unique(own, return_inverse=True, return_counts=True)
        ids[row, : len(own)] = own
        weights[row, : len(own)] = counts[back] ** (POWER - 1)
    different, counts = np.unique(asked, return_counts=True)
    importance = matching.importance[known[different]]
    return {
        "rows": matching.rows[known],
        "query": different.astype(np.int32),
        "query_weights": (counts**POWER).astype(np.float32),
        "importance": importance / importance.sum(),
        "passages": ids,
        "weights": weights,
        "features": features,
    }


def read_inputs(query: Text, stretches: list[list[int]], numbers: np.ndarray) -> dict[str, np.ndarray]:
    def laid(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
        ids = np.zeros((len(rows), max(map(len, rows))), np.int32)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
        return ids, pieces.rows().numpy()[ids] * (ids != pieces.PADDING)[..., None].astype(np.float32)

    query_ids, query_words = laid([sequence(query.pieces, 0, QUERY_PIECES)])
    ids, words = laid(stretches)
    return {"query_ids": query_ids, "query_words": query_words, "input_ids": ids, "words": words, "numbers": numbers}


def compared(
    folder: Path, name: str, lists: Lists, found: Table, model: torch.nn.Module | None, judge: Judge
) -> tuple[float, np.ndarray, np.ndarray]:
    """Runs the graph over the lists: the largest difference from PyTorch (of the contextual likeness), scores, contextual likeness."""
    run = session(folder / name)
    scores = np.zeros(found.present.shape, np.float32)
    alike = np.zeros(found.present.shape, np.float32)
    worst = 0.0
    for i, query in enumerate(lists.queries):
        candidates = lists.candidates[i][: scores.shape[1]]
        rows = [
            sequence(lists.passages[c].pieces, int(at), STRETCH)
            for c, at in zip(candidates, found.starts[i], strict=False)
        ]
        given = read_inputs(query, rows, found.numbers[i, : len(rows)])
        out, likeness = run.run(["scores", "alike"], given)
        scores[i, : len(rows)], alike[i, : len(rows)] = out, likeness[:, 0]
        if model is not None and i < COMPARED:
            with torch.no_grad():
                q, s = (model(torch.from_numpy(given[key].astype(np.int64))) for key in ("query_ids", "input_ids"))
                full = np.concatenate([given["numbers"], (s @ q[0]).numpy()[:, None]], 1)[None]
                told = judge(torch.from_numpy(beside(full, np.ones((1, len(rows)), np.float32))))[0].numpy()
            worst = max(worst, float(np.abs(told - out).max()))
    return worst, scores, alike


def checked_matching(folder: Path, matching: Matching, lists: Lists, found: Table) -> float:
    """The largest difference between match.onnx and NumPy."""
    run = session(folder / "match.onnx")
    worst, same, every = 0.0, 0, 0
    for i, query in enumerate(lists.queries):
        passages = [lists.passages[c] for c in lists.candidates[i][: found.present.shape[1]]]
        told = found.numbers[i, : len(passages)]
        numbers, window = run.run(["numbers", "window"], match_inputs(matching, query, passages, told[:, :FEATURES]))
        worst = max(worst, float(np.abs(numbers - told).max()))
        starts = [p.reading_at(at * STEP) for p, at in zip(passages, window, strict=True)]
        same += int((starts == found.starts[i, : len(passages)]).sum())
        every += len(passages)
    assert same > 0.999 * every, (same, every)
    return worst


REFERENCE = [
    (
        "متى تأسست جامعة القاهرة؟",
        [
            "تأسست جامعة القاهرة في عام ١٩٠٨، وكانت تسمى الجامعة المصرية.",
            "هطلت أمطار غزيرة على شمال البلاد.",
            "The university was founded in 1908.",
        ],
    ),
    (
        "who raised interest rates",
        ["The central bank raised interest rates to slow inflation. " * 12, "The striker scored two goals.", ""],
    ),
    ("", ["x", "😀😀", "A\tb\n\u200f"]),
]


def reference(folder: Path, reading: Reading, matching: Matching) -> list[dict]:
    """The scores of a few lists, found without keyword scores."""
    match, model = session(folder / "match.onnx"), session(folder / "model.onnx")
    found = []
    for query, texts in REFERENCE:
        (asked,), passages = reading.texts([query], QUERY_TOKENS), reading.texts(texts, PASSAGE_TOKENS)
        n, rank = len(texts), np.arange(len(texts))
        length = np.full(n, np.log1p(len(np.unique(asked.tokens))) / 4)
        features = np.stack([np.zeros(n), np.ones(n), np.log1p(rank) / 4, 1 / (1 + rank), length], 1).astype(np.float32)
        numbers, window = match.run(["numbers", "window"], match_inputs(matching, asked, passages, features))
        rows = [sequence(p.pieces, p.reading_at(at * STEP), STRETCH) for p, at in zip(passages, window, strict=True)]
        (scores,) = model.run(["scores"], read_inputs(asked, rows, numbers))
        found.append({"query": query, "passages": texts, "scores": [round(float(s), 5) for s in scores]})
    return found


def export(
    folder: Path,
    reading: Reading,
    matching: Matching,
    reader: Reader,
    judge: Judge,
    ranges: Ranges,
    held: Lists,
    found: Table,
    trained_by: str,
    metrics: list[dict],
) -> None:
    """`held` are lists that nothing was trained on, with their `found` numbers: on them the graphs are compared with PyTorch, and int8 with floats."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(match_graph(matching), folder / "match.onnx")
    onnx.save(model_graph(reader, judge, ranges, LONGEST), folder / "model.onnx")
    onnx.save(model_graph(reader, judge, None, LONGEST), folder / "float.onnx")
    match_difference = checked_matching(folder, matching, held, found)
    difference, float_scores, float_alike = compared(folder, "float.onnx", held, found, reader, judge)
    _, int8_scores, int8_alike = compared(folder, "model.onnx", held, found, None, judge)
    (folder / "float.onnx").unlink()
    assert difference < 1e-3 and match_difference < 1e-3, (difference, match_difference)
    loss = ndcg(held, float_scores) - ndcg(held, int8_scores)
    moved = float(np.abs(float_alike - int8_alike)[found.present > 0].mean())
    entries = reference(folder, reading, matching)
    told = "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n"
    (folder / "reference.json").write_text(told, encoding="utf8")
    (folder / "tokenizer.json").unlink(missing_ok=True)
    files = {}
    for name in FILES:
        data = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    card = {
        "name": folder.name,
        "revision": files["model.onnx"]["sha256"][:8],
        "task": "rerank",
        "languages": ["ar", "en"],
        "description": "Two contextual layers read the query and the stretch of each passage that is most like it; how alike they are is weighed with the late "
        "interaction of static subword vectors and with the first stage's scores and order. Arabic and English.",
        "licence": "MIT",
        "architecture": "late-interaction",
        "pieces": pieces.FOLDER.name,
        "files": files,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "bun run eval --task rerank",
        "metrics": [
            {
                "set": "ONNX in floats against PyTorch, lists not trained on",
                "metric": "largest absolute difference of scores",
                "value": round(difference, 7),
            },
            {
                "set": "match.onnx against NumPy, the same lists",
                "metric": "largest absolute difference",
                "value": round(match_difference, 7),
            },
            {"set": "int8 against floats, the same lists", "metric": "loss of nDCG@10", "value": round(loss, 5)},
            {
                "set": "int8 against floats, the same lists",
                "metric": "mean difference of cosines",
                "value": round(moved, 5),
            },
            *metrics,
        ],
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    print(f"ONNX against PyTorch {difference:.1e}; int8 costs {loss:.5f} nDCG@10, moves cosines by {moved:.4f}")


def ndcg(lists: Lists, scores: np.ndarray) -> float:
    """Mean nDCG@10 of the lists in the order of their scores."""
    discount = 1 / np.log2(np.arange(2, 12))
    total = 0.0
    for i, every in enumerate(lists.grades):
        grades = every[: scores.shape[1]]
        ranked = np.maximum(grades[np.argsort(-scores[i, : len(grades)], kind="stable")][:10], 0)
        best = np.sort(np.maximum(lists.ideal[i], 0))[::-1][:10]
        total += float((ranked * discount[: len(ranked)]).sum() / max(1e-9, (best * discount[: len(best)]).sum()))
    return total / max(1, len(lists.grades))
