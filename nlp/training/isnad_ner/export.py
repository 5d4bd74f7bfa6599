"""The trained tagger as int8 ONNX, checked against PyTorch, with word list, settings, reference and card."""

import hashlib
import json
from pathlib import Path

import numpy as np

from isnad_base.ranges import Steps
from weights import provenance

from .calibrate import expected_error, log_odds, platt
from .card import DATA_SETS, DESCRIPTION, TOLD
from .chain import Chain, never
from .data import Sets
from .frequent import words
from .graph import graph
from .judge import Scorer, by_torch, documents, judged, scored
from .lean import best_lean, leaned
from .model import Tagger
from .quantise import ranges
from .reference import reference
from .session import Session

HEADS = {"ar": "anercorp", "en": "wikigold", "social": "wnut"}
"""The heads that ship, and the set whose conventions each follows."""
WORDS = 30_000
LEARNED = ("newsfane", "wikigold", "wnut", "anercorp")
FILES = ("model.onnx", "words.txt", "tagger.json", "reference.json")
F1 = "micro-F1, exact span and type"


def outputs_of(model: Tagger) -> dict[str, slice]:
    """Which outputs of the graph each shipped head has."""
    out, at = {}, 0
    for name, head in HEADS.items():
        out[name] = slice(at, at + len(model.labels[head]))
        at = out[name].stop
    return out


def tables(
    model: Tagger, unseen: Tagger, outputs: dict[str, slice], sets: Sets
) -> tuple[np.ndarray, np.ndarray, dict[str, Chain], dict]:
    """Weight and bias of the shipped outputs, with O lowered, the chains of the heads, and the calibration of each. `unseen`: a model
    that has not learned from the tuning sentences."""
    kept = [i for head in HEADS.values() for i in range(*model.slices[head].indices(model.head.out_features))]
    weight, bias = model.head.weight.detach().numpy()[kept], model.head.bias.detach().numpy()[kept].copy()
    chains, calibration, scorer = {}, {}, by_torch(unseen)
    for name, head in HEADS.items():
        tune, labels = sets.tune[head], model.labels[head]
        chains[name] = Chain(labels, never(labels))
        scores = scored(scorer, tune, model.slices[head])
        by = best_lean(chains[name], scores, tune)
        bias[outputs[name].start] -= by
        (f1, *_), p, right = judged(chains[name], leaned(scores, by), tune)
        calibration[name] = platt(p, right)
        print(f"{name}: O lowered by {by}; tuning F1 {f1:.4f}", flush=True)
    return weight, bias, chains, calibration


def measured(
    scorers: tuple[Scorer, Scorer], outputs: dict[str, slice], chains: dict[str, Chain], calibration: dict, sets: Sets
) -> list[dict]:
    """What the card tells: of float and of int8 scores."""
    large, small = scorers
    metrics, losses = [], []
    for name, head in HEADS.items():
        chain, out, held = chains[name], outputs[name], sets.held_out.get(head, [])
        before = judged(chain, scored(large, held, out), held)[0][0]
        (f1, precision, recall), p, right = judged(chain, scored(small, held, out), held)
        scale, bias = calibration[name]
        error = expected_error(1 / (1 + np.exp(-(scale * log_odds(p) + bias))), right)
        losses.append(before - f1)
        metrics += [
            {"set": TOLD[head], "metric": metric, "value": round(value, 4)}
            for metric, value in (
                (F1, f1),
                ("precision", precision),
                ("recall", recall),
                ("expected calibration error", error),
            )
        ]
    metrics.append(
        {"set": "int8 against float", "metric": "largest loss of F1 over these sets", "value": round(max(losses), 4)}
    )
    return metrics


def settings(outputs: dict[str, slice], chains: dict[str, Chain], calibration: dict[str, tuple[float, float]]) -> dict:
    heads = [
        {
            "name": name, "first": outputs[name].start, "labels": chain.labels,
            "moves": [[round(float(x), 4) for x in row] for row in chain.moves],
            "scale": round(calibration[name][0], 5), "bias": round(calibration[name][1], 5),
        }
        for name, chain in chains.items()
    ]  # fmt: skip
    return {"heads": heads}


def described(path: Path) -> dict:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}


def export(folder: Path, model: Tagger, unseen: Tagger, sets: Sets, trained_by: str) -> None:
    outputs = outputs_of(model)
    weight, bias, chains, calibration = tables(model, unseen, outputs, sets)
    seen = [w for head in LEARNED for _, w in list(documents(sets.train[head]))[:64]]
    whole = Session(graph(model.encoder, weight, bias, None).SerializeToString())
    serialised = graph(model.encoder, weight, bias, Steps(ranges(model.encoder, seen))).SerializeToString()
    small = Session(serialised)
    tried = [w for head in HEADS.values() for _, w in list(documents(sets.tune[head]))[:4]]
    difference = max(
        float(np.abs(a - b).max())
        for a, b in zip(whole(tried), by_torch(model, weight, bias, exact=True)(tried), strict=True)
    )
    assert difference < 1e-2, difference
    metrics = measured((whole, small), outputs, chains, calibration, sets)
    metrics.append(
        {
            "set": "ONNX in float32 against PyTorch",
            "metric": "largest absolute difference",
            "value": float(f"{difference:.2g}"),
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(serialised)
    (folder / "words.txt").write_text("\n".join(words(WORDS)) + "\n", encoding="utf8")
    (folder / "tagger.json").write_text(json.dumps(settings(outputs, chains, calibration)) + "\n", encoding="utf8")
    (folder / "reference.json").write_text(reference(small, chains, outputs), encoding="utf8")
    files = {name: described(folder / name) for name in FILES}
    digest = hashlib.sha256("".join(part["sha256"] for part in files.values()).encode()).hexdigest()
    card = {
        "name": folder.name,
        "revision": digest[:8],
        "task": "tag",
        "languages": ["ar", "en"],
        "description": DESCRIPTION,
        "licence": "Apache-2.0",
        "architecture": "encoder-chain",
        "pieces": "pieces-ar-en",
        "files": files,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": trained_by,
        "measured_by": "python -m isnad_ner, blocks of 50 sentences as documents; bun run eval --task entities also spreads names over documents",
        "metrics": metrics,
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf8")
    for metric in metrics:
        print(f"{metric['set']:36} {metric['metric']:36} {metric['value']}")
