"""Fixtures of the tests of lib/models: a tiny WordPiece and a tiny Unigram tokenizer, each with reference encodings by
the `tokenizers` library, and a tiny encoder whose pooled vectors are known.

    python tokenizer_fixtures.py ../../lib/inference/fixtures
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = [
    "The central bank raised interest rates on Monday.",
    "رفع البنك المركزي أسعار الفائدة يوم الاثنين",
    "Prices rose, and the minister resigned",
    "الحُكُومَة الأردنيّة أعلنت ميزانية ٢٠٢٦",
    "Elections in Tunis: إعلان النتائج 2026!",
    "naïve café déjà-vu",
    "the the the of of to",
    "مراكش والدار البيضاء وكازابلانكا",
    "😀 emoji",
    "",
    "   spaces   here  ",
    "ﻻ ligature ﷲ",
    "x" * 300,
]
DIMS = 8


def wordpiece() -> Tokenizer:
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    made.train_from_iterator(
        TEXTS * 20, trainers.WordPieceTrainer(vocab_size=400, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return made


def unigram() -> Tokenizer:
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>", show_progress=False)
    made.train_from_iterator(TEXTS * 20, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return made


def encoder(vocabulary: int) -> tuple[onnx.ModelProto, np.ndarray]:
    """Token vectors are the rows of a table; the mask takes part so that a wrong one shows."""
    table = np.random.default_rng(7).standard_normal((vocabulary, DIMS)).astype(np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Unsqueeze", ["attention_mask", "axes"], ["mask"]),
        helper.make_node("Cast", ["mask"], ["weights"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["rows", "weights"], ["last_hidden_state"]),
    ]
    inputs = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["rows", "length"]) for n in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["rows", "length", DIMS])
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([2]), "axes")]
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return model, table


def main() -> None:
    out = Path(sys.argv[1])
    tokenizers = {"wordpiece": wordpiece(), "unigram": unigram()}
    model, table = encoder(max(t.get_vocab_size() for t in tokenizers.values()))
    for name, made in tokenizers.items():
        cases = []
        for text in TEXTS:
            ids = made.encode(text).ids
            mean = table[ids].mean(axis=0)
            vectors = {"mean": mean / np.linalg.norm(mean), "cls": table[ids[0]] / np.linalg.norm(table[ids[0]])}
            cases.append({"text": text, "ids": ids, **{k: [round(float(x), 5) for x in v] for k, v in vectors.items()}})
        content = {"tokenizer": json.loads(made.to_str()), "cases": cases}
        (out / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False) + "\n")
    onnx.save(model, out / "tiny-encoder.onnx")


if __name__ == "__main__":
    main()
