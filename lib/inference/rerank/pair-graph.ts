import type { InferenceSession } from "onnxruntime-node";

/** An input of a graph over pairs: one of those known here, in the integers that the graph declares. */
export type PairInput = { name: PairInputName; type: "int64" | "int32" };

const KNOWN = ["input_ids", "attention_mask", "token_type_ids"] as const;
export type PairInputName = (typeof KNOWN)[number];

/** What a cross-encoder's graph takes, and which of its outputs are the logits. */
export type PairGraph = { inputs: readonly PairInput[]; output: string };

/** Why a graph cannot be run, in words for whoever pulled the model. */
export class UnknownGraph extends Error {
  override readonly name = "UnknownGraph";
}

/** Reads what the graph declares. @throws UnknownGraph for inputs, types and outputs that are not those of a cross-encoder */
export function readPairGraph(session: Pick<InferenceSession, "inputMetadata" | "outputMetadata">): PairGraph {
  const strangers: string[] = [];
  const inputs: PairInput[] = [];
  for (const input of session.inputMetadata) {
    const name = KNOWN.find((known) => known === input.name);
    const type = input.isTensor ? input.type : "no tensor";
    if (name === undefined) strangers.push(input.name);
    else if (type === "int64" || type === "int32") inputs.push({ name, type });
    else throw new UnknownGraph(`the graph wants ${name} as ${type}, not as integers`);
  }
  if (strangers.length > 0) {
    throw new UnknownGraph(`the graph asks for ${strangers.join(", ")}; known are ${KNOWN.join(", ")}`);
  }
  for (const needed of ["input_ids", "attention_mask"]) {
    if (!inputs.some(({ name }) => name === needed)) throw new UnknownGraph(`the graph has no input ${needed}`);
  }
  return { inputs, output: logitsOf(session.outputMetadata) };
}

/** The output named logits, or the only one. */
function logitsOf(outputs: readonly InferenceSession.ValueMetadata[]): string {
  const found = outputs.find(({ name }) => name === "logits") ?? (outputs.length === 1 ? outputs[0] : undefined);
  if (found === undefined) {
    const names = outputs.map(({ name }) => name).join(", ");
    throw new UnknownGraph(`the graph gives ${names}, and none of them is named logits`);
  }
  if (!found.isTensor || found.type !== "float32") {
    throw new UnknownGraph(
      `the graph gives ${found.name} as ${found.isTensor ? found.type : "no tensor"}, not as float32`,
    );
  }
  const { name, shape } = found;
  const last = shape.at(-1);
  // a dimension with a name is known only once the graph has run
  const wrong = shape.length > 0 && (shape.length !== 2 || (typeof last === "number" && last !== 1 && last !== 2));
  if (wrong) throw new UnknownGraph(unlike(name, shape));
  return name;
}

/** The logit of each of `rows` pairs in what the graph gave: the only one of a row, or how far the second is above the first.
 * @throws UnknownGraph for another shape */
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
    labels === 1 ? (data[row] ?? Number.NaN) : (data[row * 2 + 1] ?? Number.NaN) - (data[row * 2] ?? Number.NaN),
  );
}

function unlike(output: string, shape: readonly (number | string)[]): string {
  return `${output} is of shape [${shape.join(", ")}], not [pairs, 1] or [pairs, 2]`;
}
