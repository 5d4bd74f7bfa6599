import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from isnad_base import encoder, pieces, published
from isnad_base.graph import int8_columns
from isnad_base.processor import BFLOAT16
from isnad_base.published import dequantised, quantised
from isnad_base.ranges import input_ranges, narrowed, products_of
from isnad_base.teacher import padded, read


def written(path: Path, tensors: dict[str, torch.Tensor]) -> None:
    """A safetensors file."""
    header, blobs, offset = {}, [], 0
    for name, tensor in tensors.items():
        blob = tensor.contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(blob)]}
        blobs.append(blob)
        offset += len(blob)
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(blobs))


class Base(unittest.TestCase):
    def test_a_block_is_its_scale_times_half_bytes_less_eight(self):
        raw = np.concatenate([np.array([0.5], np.float16).view(np.uint8), np.arange(16, dtype=np.uint8) | (8 << 4)])[
            None
        ]
        np.testing.assert_array_equal(dequantised(raw)[0], [*((i - 8) * 0.5 for i in range(16)), *[0.0] * 16])

    def test_rows_in_4_bits_are_within_half_a_step(self):
        rows = np.random.default_rng(5).normal(size=(40, 64)).astype(np.float32)
        found = dequantised(quantised(rows))
        step = np.abs(rows.reshape(-1, 32)).max(1) / 8
        within = np.repeat(step, 32).reshape(rows.shape) * 1.01
        self.assertTrue((np.abs(found - rows) <= within).all())
        self.assertLess(np.abs(found - rows).mean(), step.mean() / 3)

    def test_the_publishers_files_are_read_as_the_package_is(self):
        packaged = published.read()
        theirs = {
            "embeddings.position_embeddings.weight": packaged.tensors["pos"],
            "embeddings.token_type_embeddings.weight": packaged.tensors["type"][None],
            "embeddings.word_embeddings.weight": torch.from_numpy(dequantised(packaged.raw_rows[:50])),
            "embeddings.LayerNorm.weight": packaged.tensors["ln.w"],
            "embeddings.LayerNorm.bias": packaged.tensors["ln.b"],
        }
        for number in range(published.LAYERS):
            for part, name in published.PARTS.items():
                for kind, long in (("w", "weight"), ("b", "bias")):
                    theirs[f"encoder.layer.{number}.{name}.{long}"] = packaged.tensors[f"l{number}.{part}.{kind}"]
        folder = Path(tempfile.mkdtemp())
        written(folder / "model.safetensors", theirs)
        vocabulary = [list(entry) for entry in zip(packaged.pieces[:50], packaged.scores[:50], strict=True)]
        (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}), encoding="utf8")
        found = published.read(folder)
        self.assertEqual((found.pieces, found.scores), (packaged.pieces[:50], packaged.scores[:50]))
        np.testing.assert_array_equal(dequantised(found.raw_rows), dequantised(packaged.raw_rows[:50]))
        self.assertEqual(found.tensors.keys(), packaged.tensors.keys())
        for name, tensor in packaged.tensors.items():
            torch.testing.assert_close(found.tensors[name], tensor)

    def test_attention_in_training_is_that_of_inference_and_padding_changes_nothing(self):
        model = encoder.start((0,), 0.0)
        rows = [[1, 400, 500, 600, 2], [1, 700, 2]]
        ids = padded(rows)
        with torch.no_grad():
            plain, trained = model.eval()(ids), model.train()(ids)
            alone = model.eval()(padded(rows[1:]))
        there = ids != pieces.PADDING
        torch.testing.assert_close(plain[there], trained[there], atol=1e-4, rtol=0)
        torch.testing.assert_close(plain[1, :3], alone[0], atol=1e-4, rtol=0)

    def test_rows_are_read_in_their_own_order(self):
        rows = [[i + 1] * (i % 5 + 1) for i in range(20)]
        found = read(lambda ids: ids.max(1).values.float().unsqueeze(1).expand(-1, 384), rows, cells=8)
        np.testing.assert_array_equal(found[:, 0], np.arange(1, 21))

    def test_texts_are_read_in_bfloat16_where_the_processor_has_such_products(self):
        seen = []

        def model(ids: torch.Tensor) -> torch.Tensor:
            seen.append(torch.is_autocast_enabled("cpu"))
            return torch.zeros(len(ids), published.WIDTH)

        read(model, [[1, 2]])
        self.assertEqual(seen, [BFLOAT16])

    def test_columns_have_scales_of_their_own(self):
        table, scale = int8_columns(np.array([[1.0, 100.0], [-0.5, 50.0]]))
        np.testing.assert_allclose(table * scale, [[1, 100], [-0.5, 50]], rtol=0.01)
        self.assertEqual(np.abs(table).max(0).tolist(), [127, 127])
        narrow, steps = int8_columns(np.array([[1.0, 100.0], [-0.5, 50.0]]), 7)
        np.testing.assert_allclose(narrow * steps, [[1, 100], [-0.5, 50]], rtol=0.02)
        self.assertEqual(np.abs(narrow).max(0).tolist(), [63, 63])

    @torch.no_grad()
    def test_a_range_gives_up_a_value_far_away_that_the_product_does_not_need(self):
        part = torch.nn.Linear(4, 2)
        part.weight[:] = torch.tensor([[1.0, 1, 1, 0], [-1, 1, 1, 0]])
        values = torch.randn(300, 4)
        values[0, 3] = 60.0
        wide = {"part": (float(values.min()), 60.0)}
        (low, high) = narrowed({"part": part}, wide, [values], part)["part"]
        self.assertLess(high, 60.0)
        self.assertLess(low, 0.0)
        part.weight[:, 3] = 100.0
        self.assertEqual(narrowed({"part": part}, wide, [values], part)["part"][1], 60.0)

    def test_ranges_leave_padding_out_and_hold_zero(self):
        line = torch.nn.Linear(1, 1)
        model = torch.nn.Sequential(line)
        found = input_ranges(
            products_of(model),
            [torch.tensor([[3, 5, 0]])],
            lambda ids: model(torch.where(ids > 0, ids, 99).float().unsqueeze(-1)),
            0.0,
        )
        self.assertEqual(found, {"0": (0.0, 5.0)})


if __name__ == "__main__":
    unittest.main()
