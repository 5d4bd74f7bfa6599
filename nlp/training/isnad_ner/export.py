"""The trained stack as ONNX with int8 rows, checked against the trained chains, with vocabulary, settings and card."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from .attributes import feature_hash
from .calibrate import expected_error, log_odds, outcomes, platt
from .chain import Chain
from .clusters import lexicon
from .data import Sets
from .evaluate import micro_f1, tags_of
from .graph import graph, quantised
from .layout import layout
from .lean import best_lean, leaned
from .reference import reference
from .stack import UPPER, Stack

DATA_SETS = [
    ("ANERcorp train, first four fifths of the sentences", "CC BY-SA 4.0", "chain ar"),
    ("Wikigold, first four fifths of the sentences", "CC BY 4.0", "chain en"),
    ("WNUT-17 train", "CC BY 4.0", "chain social"),
    ("WikiFANE", "CC BY-SA 3.0", "lower chain, names"),
    ("Broad Twitter Corpus", "CC BY 4.0", "lower chain, names"),
    ("WikiANN English (silver)", "ODC-BY", "lower chain, names"),
    ("re3d", "open, per source", "lower chain, names"),
    ("ANERgazet", "none stated", "names, as hashes"),
    ("ANT corpus v1 and v2 (Arabic news of 2017 and 2018)", "Apache-2.0; text of the publishers", "word clusters, names"),
    ("Reuters-21578, BBC, CNN, FNC-1 (English news)", "research use; text of the publishers", "word clusters, names"),
]
TOLD = {"anercorp": "ANERcorp train, last fifth", "wikigold": "Wikigold, last fifth", "wnut": "WNUT-17 dev"}
FILES = ("model.onnx", "words.txt", "features.bin", "tagger.json", "reference.json")


def judged(stack: Stack, name: str, sentences) -> tuple[float, np.ndarray, np.ndarray]:
    """Micro-F1 of a chain; probability and rightness of every span it finds."""
    chain = stack.chains[name]
    scores = [chain.scores(stack.features(name, [t for t, _ in s])) for s in sentences]
    found, gold = [chain.decode(s) for s in scores], tags_of(sentences)
    return micro_f1(gold, found)[0], *outcomes(scores, gold, found, chain.starts(), chain.moves, chain.labels)


def rounded(stack: Stack) -> Stack:
    """The stack with every row as it is after int8."""

    def by_row(chain: Chain) -> Chain:
        rows, scale = quantised(chain.weights)
        return replace(chain, weights=rows.astype(np.float32) * scale.astype(np.float32)[:, None])

    return Stack({n: by_row(c) for n, c in stack.chains.items()}, stack.uses, stack.names)


def check(model: bytes, made, stack: Stack, sentences: list[list[str]]) -> float:
    """Largest difference of the graph's scores from those of the chains."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    worst, at = 0.0, 0
    hashes = np.concatenate(made.keys)
    for settings in made.chains:
        name, part = settings["name"], settings["features"]
        rows = {int(h): settings["firstRow"] + i for i, h in enumerate(hashes[part["at"] : part["at"] + part["count"]])}
        chain = stack.chains[name]
        for tokens in sentences:
            features = stack.features(name, tokens)
            known = [[rows[h] for f in token if (h := feature_hash(f)) in rows] for token in features]
            ids = np.zeros((len(known), max(map(len, known))), np.int32)
            for i, row in enumerate(known):
                ids[i, : len(row)] = row
            (scores,) = session.run(None, {"ids": ids})
            want = chain.scores(features)
            worst = max(worst, float(np.abs(scores[:, : want.shape[1]] - want).max()))
    return worst


def described(path: Path) -> dict:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}


def export(folder: Path, stack: Stack, sets: Sets, trained_by: str) -> None:
    for name, (data_set, *_) in UPPER.items():
        lean = best_lean(stack, name, sets.tune[data_set])
        stack.chains[name] = leaned(stack.chains[name], lean)
        print(f"chain {name}: O lowered by {lean}")
    small = rounded(stack)
    calibration, metrics, losses = {}, [], []
    for name, (data_set, *_) in UPPER.items():
        before = judged(stack, name, sets.held_out[data_set])[0]
        scale, bias = platt(*judged(small, name, sets.tune[data_set])[1:])
        after, p, right = judged(small, name, sets.held_out[data_set])
        error = expected_error(1 / (1 + np.exp(-(scale * log_odds(p) + bias))), right)
        calibration[name] = (scale, bias)
        losses.append(before - after)
        metrics.append({"set": TOLD[data_set], "metric": "micro-F1, exact span and type", "value": round(after, 4)})
        metrics.append({"set": TOLD[data_set], "metric": "expected calibration error", "value": round(error, 4)})
    made = layout(stack, calibration)
    rows = np.concatenate([np.zeros_like(made.rows[0][:1]), *made.rows])
    model = graph(*quantised(rows))
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "model.onnx")
    (folder / "words.txt").write_text(lexicon().lines(), encoding="utf8")
    (folder / "features.bin").write_bytes(made.bytes())
    settings = {"chains": made.chains, "names": made.names}
    (folder / "tagger.json").write_text(json.dumps(settings, ensure_ascii=False) + "\n", encoding="utf8")
    (folder / "reference.json").write_text(reference(small), encoding="utf8")
    tried = [[t for t, _ in s] for name in ("anercorp", "wikigold", "wnut") for s in sets.held_out[name][:15]]
    difference = check(model.SerializeToString(), made, small, tried)
    assert difference < 0.05, difference  # two features of one hash may share a row
    files = {name: described(folder / name) for name in FILES}
    metrics += [
        {"set": "ONNX against the trained chains", "metric": "largest absolute difference", "value": float(f"{difference:.2g}")},
        {"set": "int8 against float rows", "metric": "largest loss of F1 over these sets", "value": round(max(losses), 4)},
    ]
    digest = hashlib.sha256("".join(part["sha256"] for part in files.values()).encode()).hexdigest()
    card = {
        "name": folder.name,
        "revision": digest[:8],
        "task": "tag",
        "languages": ["ar", "en"],
        "description": "Named entities (PER, LOC, ORG, MISC; six types for social media) in Arabic and English: stacked linear-chain CRFs over "
        "hashed features of words, stems, affixes, shapes, word clusters and known names; int8 rows with one scale each.",
        "licence": "Apache-2.0",
        "architecture": "stacked-chains",
        "files": files,
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "python -m isnad_ner, each sentence by itself; bun run eval --task entities measures blocks of 50 sentences as documents",
        "metrics": metrics,
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    for metric in metrics:
        print(f"{metric['set']:36} {metric['metric']:36} {metric['value']}")
