"""The trained layers as int8 ONNX beside the model of debates, whose reference and card then tell of both; checked against PyTorch."""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from isnad_base import pieces
from isnad_base.ranges import Steps, evened, input_ranges, narrowed
from isnad_base.teacher import padded
from isnad_check import export as check
from isnad_check.calibrate import Calibration
from isnad_check.encoder import LANGUAGES

from .encoder import Checker
from .graph import WEIGHT_BITS, graph, products
from .states import LONGEST

FEWER = 4
"""By every fourth of the sentences that ranges are fitted by it is chosen how much of a range is used."""


class Session:
    """A graph in onnxruntime, as logits of rows."""

    def __init__(self, serialised: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(serialised, options)
        self.rows = pieces.rows()

    def run(self, ids: np.ndarray) -> np.ndarray:
        words = self.rows[torch.from_numpy(ids[ids != 0]).long()].numpy()
        return self.session.run(None, {"input_ids": ids.astype(np.int32), "words": words})[0]

    def all(self, rows: list[list[int]], size: int = 32) -> np.ndarray:
        out = np.zeros((len(rows), len(LANGUAGES)))
        order = np.argsort([len(row) for row in rows], kind="stable")
        for at in range(0, len(order), size):
            chosen = order[at : at + size]
            out[chosen] = self.run(padded([rows[i] for i in chosen]).numpy())
        return out

    def of(self, texts: list[str], lang: str) -> np.ndarray:
        return self.all(pieces.encode(texts, LONGEST))[:, LANGUAGES.index(lang)]


def steps_of(model: Checker, texts: list[str]) -> Steps:
    """How what goes into the products becomes 8 bits, fitted while the texts are read one by one."""
    rows = [torch.tensor([row]) for row in pieces.encode(texts, LONGEST)]

    found, of = products(model.eval()), rows[::FEWER]
    ranges = narrowed(found, input_ranges(found, rows, model), of, model)
    far = {name: part for name, part in found.items() if name.endswith((".qkv", ".up"))}
    return evened(far, ranges, of, model, WEIGHT_BITS)


def write(folder: Path, file: str, genre: str, small: bytes, calibration: dict[str, Calibration], told: dict) -> None:
    """Puts a graph into the folder of the model, which answers for a genre in the languages of `calibration`. `told`: what the card says of it
    beside the files."""
    (folder / file).write_bytes(small)
    reference = json.loads((folder / "reference.json").read_text(encoding="utf8"))
    rows = pieces.encode([row["text"] for row in reference], LONGEST)
    logits = Session(small).all(rows)
    if genre == "debate":
        logits = logits + own_vocabulary(folder).all([row["ids"] for row in reference])
    for row, ids, of in zip(reference, rows, logits, strict=True):
        had = row["logits"].get(genre, [0.0] * len(LANGUAGES))
        made = [round(float(z), 4) for z in of]
        row["logits"][genre] = [made[i] if lang in calibration else had[i] for i, lang in enumerate(LANGUAGES)]
        row["pieces"] = ids
    (folder / "reference.json").write_text(
        "[\n" + ",\n".join(json.dumps(row) for row in reference) + "\n]\n", encoding="utf8"
    )
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    graphs = sorted({name for name in card["files"] if name.endswith(".onnx")} | {file})
    for name in (*graphs, "reference.json"):
        raw, had = (folder / name).read_bytes(), card["files"].get(name, {})
        card["files"][name] = had | {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
    card["files"][file]["weight_bits"] = WEIGHT_BITS
    revision = "".join(card["files"][name]["sha256"] for name in graphs)
    card["revision"] = hashlib.sha256(revision.encode()).hexdigest()[:8]
    card["pieces"] = pieces.FOLDER.name
    card["calibration"] = sorted(
        [one for one in card["calibration"] if one["genre"] != genre or one["lang"] not in calibration]
        + [
            {
                "lang": lang,
                "genre": genre,
                "scale": round(c.scale, 5),
                "bias": round(c.bias, 5),
                "threshold": round(c.threshold, 3),
                **({} if c.keep is None else {"keep": c.keep}),
            }
            for lang, c in calibration.items()
        ],
        key=lambda one: (one["genre"], one["lang"]),
    )
    (folder / "model.json").write_text(json.dumps(card | told, indent=2, ensure_ascii=False) + "\n", encoding="utf8")


def own_vocabulary(folder: Path) -> check.Session:
    """The graph of debates with a vocabulary of its own, to which that of speeches is added."""
    return check.Session((folder / "model.onnx").read_bytes())


def parity(model: Checker, large: Session, texts: list[str]) -> float:
    """The largest difference of a logit in float32 and in PyTorch."""
    rows = pieces.encode(texts, LONGEST)
    with torch.no_grad():
        return float(np.abs(large.all(rows) - model(padded(rows)).numpy()).max())


def serialised(model: Checker, steps: Steps | None) -> bytes:
    return graph(model.eval(), steps).SerializeToString()
