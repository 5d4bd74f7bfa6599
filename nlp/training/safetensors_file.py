"""Weights as their publishers store them."""

import json
from pathlib import Path

import torch


def read(path: Path) -> dict[str, torch.Tensor]:
    """Every float32 tensor of a safetensors file, by name."""

    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    found = {}
    for name, entry in json.loads(raw[8:start]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        first, last = entry["data_offsets"]
        piece = bytearray(raw[start + first : start + last])
        found[name] = torch.frombuffer(piece, dtype=torch.float32).view(entry["shape"]).clone()
    return found
