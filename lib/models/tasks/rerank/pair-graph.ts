import { at } from "../../../std/at.ts";
import type { InferenceSession } from "onnxruntime-node";
import { readTokenInputs, type TokenInput, UnknownGraph } from "../../tokenizers/token-inputs.ts";

/** What a cross-encoder's graph takes, and which of its outputs are the logits. */
export type PairGraph = { inputs: readonly TokenInput[]; output: string };

/**
 * Reads what the graph declares. @throws UnknownGraph for inputs, types and outputs that are not those of a
 * cross-encoder
 */
export function readPairGraph(session: Pick<InferenceSession, "inputMetadata" | "outputMetadata">): PairGraph {
  return { inputs: readTokenInputs(session), output: logitsOf(session.outputMetadata) };
}

/** The output named logits, or the only one. */
function logitsOf(outputs: readonly InferenceSession.ValueMetadata[]): string {
  const output = outputs.find(({ name }) => name === "logits") ?? (outputs.length === 1 ? outputs[0] : undefined);
  if (output === undefined) {
    const names = outputs.map(({ name }) => name).join(", ");
    throw new UnknownGraph(`the graph gives ${names}, and none of them is named logits`);
  }
  if (!output.isTensor || output.type !== "float32") {
    throw new UnknownGraph(
      `the graph gives ${output.name} as ${output.isTensor ? output.type : "no tensor"}, not as float32`,
    );
  }
  const { name, shape } = output;
  const last = shape.at(-1);
  // a dimension with a name is known only once the graph has run
  const wrong = shape.length > 0 && (shape.length !== 2 || (typeof last === "number" && last !== 1 && last !== 2));
  if (wrong) throw new UnknownGraph(unlike(name, shape));
  return name;
}

/**
 * The logit of each of `rows` pairs in what the graph gave: the only one of a row, or how far the second is above the
 * first.
 * @throws UnknownGraph for another shape
 */
export function logitsIn(
  output: string,
  tensor: { data: unknown; dims: readonly number[] } | undefined,
  rows: number,
): number[] {
  const { data, dims = [] } = tensor ?? {};
  const [first, labels = 0] = dims;
  const fits = dims.length === 2 && first === rows && (labels === 1 || labels === 2);
  if (!(data instanceof Float32Array) || !fits) throw new UnknownGraph(unlike(output, dims));
  return Array.from({ length: rows }, (_, row) =>
    labels === 1 ? at(data, row) : at(data, row * 2 + 1) - at(data, row * 2),
  );
}

function unlike(output: string, shape: readonly (number | string)[]): string {
  return `${output} is of shape [${shape.join(", ")}], not [pairs, 1] or [pairs, 2]`;
}
