"""The trained classifier as int8 ONNX with tokenizer, reference and card, checked against PyTorch."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from isnad_base.graph import Ranges

from .batches import in_order, padded
from .calibrate import Calibration
from .encoder import LANGUAGES, Classifier
from .graph import graph
from .reference import SENTENCES
from .vocabulary import encode, saved

LONGEST = 80


class Session:
    """A graph in onnxruntime, as logits of rows."""

    def __init__(self, serialised: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.add_session_config_entry(
            "session.x64quantprecision", "1"
        )  # as the platform runs it: exact without VNNI
        self.session = onnxruntime.InferenceSession(serialised, options)

    def run(self, ids: np.ndarray) -> np.ndarray:
        return self.session.run(None, {"input_ids": ids})[0]

    def all(self, rows: list[list[int]]) -> np.ndarray:
        out = np.zeros((len(rows), len(LANGUAGES)))
        for chosen in in_order(rows, 32):
            out[chosen] = self.run(padded([rows[i] for i in chosen]).numpy().astype(np.int32))
        return out

    def of(self, rows: list[list[int]], lang: str) -> np.ndarray:
        return self.all(rows)[:, LANGUAGES.index(lang)]


def sessions(model: Classifier, ranges: Ranges) -> tuple[Session, Session, bytes]:
    """In float32, in int8, and the bytes of the latter."""
    small = graph(model, ranges).SerializeToString()
    return Session(graph(model, None).SerializeToString()), Session(small), small


def write(folder: Path, tokenizer: Tokenizer, small: bytes, calibration: dict[str, Calibration], card: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(small)
    (folder / "tokenizer.json").write_text(saved(tokenizer), encoding="utf8")
    rows = encode(tokenizer, SENTENCES, LONGEST)
    session = Session(small)
    logits = session.all(rows)
    reference = [
        {
            "text": text,
            "ids": row,
            "logits": {"debate": [round(float(z), 4) for z in logits[i]]},
        }
        for i, (text, row) in enumerate(zip(SENTENCES, rows, strict=True))
    ]
    (folder / "reference.json").write_text(
        "[\n" + ",\n".join(json.dumps(r) for r in reference) + "\n]\n", encoding="utf8"
    )
    files = {}
    for name in ("model.onnx", "tokenizer.json", "reference.json"):
        raw = (folder / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    told = {
        "name": folder.name,
        "revision": files["model.onnx"]["sha256"][:8],
        "task": "classify",
        "languages": list(LANGUAGES),
        "description": "Check-worthiness of a sentence: an encoder of three layers over one vocabulary of Arabic and English pieces, "
        "int8 with fixed activation ranges; one output a language, made a probability by the calibration below.",
        "licence": "Apache-2.0",
        "architecture": "encoder-classifier",
        "max_tokens": LONGEST,
        "calibration": [
            {
                "lang": lang,
                "genre": "debate",
                "scale": round(c.scale, 5),
                "bias": round(c.bias, 5),
                "threshold": round(c.threshold, 3),
            }
            for lang, c in sorted(calibration.items())
        ],
        "files": files,
        **card,
    }
    (folder / "model.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf8")
