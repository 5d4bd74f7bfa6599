import type { InferenceSession, Tensor } from "onnxruntime-node";

/** An input of a graph over sequences of tokens: one of those known here, in the integers that the graph declares. */
export type TokenInput = { name: TokenInputName; type: "int64" | "int32" };

const KNOWN = ["input_ids", "attention_mask", "token_type_ids"] as const;
export type TokenInputName = (typeof KNOWN)[number];

/** Why a graph cannot be run, in words for whoever pulled the model. */
export class UnknownGraph extends Error {
  override readonly name = "UnknownGraph";
}

/**
 * Reads what inputs the graph declares. @throws UnknownGraph for inputs and types that are not those of a transformer
 * over tokens
 */
export function readTokenInputs({ inputMetadata }: Pick<InferenceSession, "inputMetadata">): TokenInput[] {
  const strangers: string[] = [];
  const inputs: TokenInput[] = [];
  for (const input of inputMetadata) {
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
  return inputs;
}

/** The graph's inputs as tensors of `shape` [rows, length]. */
export function tokenFeeds(
  inputs: readonly TokenInput[],
  values: Readonly<Record<TokenInputName, Int32Array>>,
  shape: readonly [number, number],
  make: typeof Tensor,
): Record<string, Tensor> {
  return Object.fromEntries(
    inputs.map(({ name, type }) => {
      const whole = values[name];
      return [
        name,
        type === "int64" ? new make(type, BigInt64Array.from(whole, BigInt), shape) : new make(type, whole, shape),
      ];
    }),
  );
}
