"""The table of all chains as an ONNX graph: ids int32 [tokens, width] (rows of the table; 0: none) -> scores float [tokens, labels],
the sum of the rows. Rows are int8 with one scale each, of 16 bits."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def quantised(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = (np.maximum(np.abs(rows).max(1), 1e-6) / 127).astype(np.float16)
    scale = np.where(scale == 0, np.float16(1e-7), scale)
    return np.clip(np.rint(rows / scale.astype(np.float32)[:, None]), -127, 127).astype(np.int8), scale


def graph(table: np.ndarray, scale: np.ndarray) -> onnx.ModelProto:
    constants = {"table": table, "scale": scale, "axis": np.array([1])}
    nodes = [
        ("Gather", ["table", "ids"], "rows8", {}),
        ("Cast", ["rows8"], "rows", {"to": TensorProto.FLOAT}),
        ("Gather", ["scale", "ids"], "scale16", {}),
        ("Cast", ["scale16"], "row_scale", {"to": TensorProto.FLOAT}),
        ("Unsqueeze", ["row_scale", "axis"], "left", {}),
        ("MatMul", ["left", "rows"], "sum3", {}),
        ("Squeeze", ["sum3", "axis"], "scores", {}),
    ]
    made = helper.make_graph(
        [helper.make_node(op, ins, [out], **more) for op, ins, out, more in nodes],
        "stacked_chains",
        [helper.make_tensor_value_info("ids", TensorProto.INT32, ["tokens", "width"])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["tokens", table.shape[1]])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model
