"""Writes nlp/models/senses-ar: the graph, the vectors of senses in 4 bits, what the signs weigh, what glosses are turned by, and the card."""

import hashlib
import json
from pathlib import Path

import numpy as np
import torch

from isnad_base import pieces
from isnad_base.graph import int8_columns
from isnad_base.published import WIDTH
from isnad_ner.session import opened
from weights import provenance

from .data import LAYERS, SIGNS, Example, Sense, centred, located
from .graph import reader
from .model import REACH, Glosses, Senses

NAME = "senses-ar"
APART = 2e-2
"""How far the graph, whose matrices are int8, may be from the model."""
LEVELS = 7
TEXTS = [
    "فقأ النسر عين الخروف .",
    "شربت ماء من عين في الجبل",
    "وقع الوزيران أمس اتفاقا لتبادل الأسرى بعد محادثات طويلة .",
]
DATA_SETS = [
    (
        "multilingual-e5-small (weights)",
        "MIT",
        "vectors of glosses, by all twelve layers; lower.onnx before its training in the tagger",
    ),
    ("tagger-ar-en, lower layers of revision ae4ec71d", "Apache-2.0", "what words are read by"),
    ("senses and examples of nlp/lexicon, parts that are not held out", "Apache-2.0", "weights"),
    ("static-ar-en-256", "Apache-2.0", "likeness of gloss and context, with which the model's own is weighed"),
    ("CAMeL Morph MSA; morph-ar", "CC BY 4.0; CC BY-SA 3.0", "which word of an example it is of"),
]


def written(model: Glosses, senses: list[Sense], vectors: np.ndarray, mean: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Keys and packed vectors uint8 [senses, dims / 2] of the senses whose word has others."""
    chosen = [number for number, sense in enumerate(senses) if sense.several]
    with torch.inference_mode():
        made = model(torch.from_numpy(centred(vectors[chosen], mean))).numpy()
    return [senses[number].key for number in chosen], packed(made)


def packed(vectors: np.ndarray) -> np.ndarray:
    """Vectors of even dims in 4 bits a number, 8 for zero, the first of each two in the low half of a byte; their length is left out."""
    levels = np.rint(vectors / np.abs(vectors).max(1, keepdims=True) * LEVELS).astype(np.int64) + LEVELS + 1
    return (levels[:, ::2] | levels[:, 1::2] << 4).astype(np.uint8)


def turned(model: Glosses, mean: np.ndarray) -> bytes:
    """What makes a vector of the teacher's: mean [WIDTH] and bias [dims] as float16, then the weight [WIDTH, dims] as int8 after a float32 scale
    for each column."""
    halves = [mean, model.turn.bias.detach().numpy()]
    table, columns = int8_columns(model.turn.weight.detach().numpy().T)
    return b"".join([*(half.astype(np.float16).tobytes() for half in halves), columns.tobytes(), table.tobytes()])


def read_turned(given: bytes, dims: int) -> tuple[Glosses, np.ndarray]:
    ends = np.cumsum([2 * WIDTH, 2 * dims, 4 * dims])
    mean, bias, columns, table = (bytes(part) for part in np.split(np.frombuffer(given, np.uint8), ends))
    weight = np.frombuffer(table, np.int8).reshape(WIDTH, dims) * np.frombuffer(columns, np.float32)
    state = {"turn.weight": weight.T, "turn.bias": np.frombuffer(bias, np.float16).astype(np.float32)}
    made = Glosses(dims, 0.0)
    made.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in state.items()})
    return made.eval(), np.frombuffer(mean, np.float16).astype(np.float32)


def reference(serialised: bytes) -> str:
    """Sentences, the windows that they are read in, and the vector of each word: as much as says that it is read alike."""
    lower, upper = opened(LAYERS.read_bytes()), opened(serialised)
    rows = []
    for text in TEXTS:
        words = text.split(" ")
        found = [located(words, place) for place in range(len(words))]
        states = lower.run(None, {"words": pieces.rows().numpy()[found[0][0]][None]})[0]
        vectors = upper.run(None, {"states": states, "firsts": np.array([first for _, first in found], np.int32)})[0]
        first = [[round(float(value), 4) for value in vector[:8]] for vector in vectors]
        rows.append(json.dumps({"words": words, "vectors": first}, ensure_ascii=False))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def export(folder: Path, model: Senses, senses: list[Sense], given: dict) -> None:
    """`given`: vectors and mean of the glosses, weights of the signs, seen (examples to compare by), trained_by, metrics."""
    serialised = reader(model.reader).SerializeToString()
    print(f"graph against model: {apart(model, serialised, given['seen']):.1e}", flush=True)
    keys, rows = written(model.glosses, senses, given["vectors"], given["mean"])
    weights = dict(zip(SIGNS, (round(float(value), 4) for value in given["weights"]), strict=True))
    save(folder, model.reader.dims, given, {
        "model.onnx": serialised,
        "lower.onnx": LAYERS.read_bytes(),
        "vectors.bin": rows.tobytes(),
        "senses.txt": ("\n".join(keys) + "\n").encode(),
        "settings.json": (json.dumps(weights) + "\n").encode(),
        "glosses.bin": turned(model.glosses, given["mean"]),
        "reference.json": reference(serialised).encode(),
    })  # fmt: skip


def apart(model: Senses, serialised: bytes, seen: list[Example]) -> float:
    """The largest difference between the graph and the model."""
    session, worst = opened(serialised), 0.0
    for example in seen:
        states = np.asarray(example.states, np.float32)
        window, present = torch.zeros(1, 2 * REACH + 1, WIDTH), torch.zeros(1, 2 * REACH + 1, dtype=torch.bool)
        start = REACH - example.before
        window[0, start : start + len(states)], present[0, start : start + len(states)] = torch.from_numpy(states), True
        with torch.inference_mode():
            expected = model.reader(window, present).numpy()
        firsts = np.array([example.before], np.int32)
        worst = max(
            worst, float(np.abs(session.run(None, {"states": states[None], "firsts": firsts})[0] - expected).max())
        )
    if worst > APART:
        raise SystemExit(f"the graph is not the model: {worst}")
    return worst


def save(folder: Path, dims: int, given: dict, files: dict[str, bytes]) -> None:
    described = {name: {"sha256": hashlib.sha256(c).hexdigest(), "bytes": len(c)} for name, c in files.items()}
    card = {
        "name": NAME,
        "revision": hashlib.sha256(json.dumps(described).encode()).hexdigest()[:8],
        "task": "senses",
        "languages": ["ar"],
        "description": "The sense of an Arabic word in its sentence: its state and those around it, by attention, in three layers of an encoder "
        "(those of tagger-ar-en as of revision ae4ec71d), as a vector to be compared with those of the glosses of nlp/lexicon/senses, which all twelve layers of "
        "multilingual-e5-small have read beforehand; 8 bits a number, vectors of glosses 4.",
        "licence": "Apache-2.0",
        "architecture": "encoder-attention",
        "dims": dims,
        "pieces": "pieces-ar-en",
        "files": described,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": n, "licence": lic, "used_for": use} for n, lic, use in DATA_SETS],
        "trained_by": given["trained_by"],
        "measured_by": "bun run eval --task wsd",
        "metrics": given["metrics"],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
