"""The graph by which lib/models/runtime/onnxruntime.ts asks the processor: largest bytes times largest weights.

python product_fixture.py
"""

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model

GRAPH = Path(__file__).parents[2] / "lib/models/runtime/largest-products.onnx"

ROWS, DEPTH, COLUMNS = 4, 64, 16

weights = numpy_helper.from_array(np.full((DEPTH, COLUMNS), 127, np.int8), "weights")
scale = numpy_helper.from_array(np.array(1, np.float32), "scale")
graph = helper.make_graph(
    [
        helper.make_node(
            "MatMulIntegerToFloat", ["bytes", "weights", "scale", "scale"], ["sums"], domain="com.microsoft"
        )
    ],
    "largest-products",
    [helper.make_tensor_value_info("bytes", TensorProto.UINT8, [ROWS, DEPTH])],
    [helper.make_tensor_value_info("sums", TensorProto.FLOAT, [ROWS, COLUMNS])],
    [weights, scale],
)
opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
save_model(helper.make_model(graph, opset_imports=opsets, ir_version=8), GRAPH)
