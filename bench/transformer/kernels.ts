import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@isnad/lib/service/http";
import { type Feeds, openOrt } from "./session.ts";

/** Type and dimensions of a tensor, as a session met it. */
export type Met = { type: string; dims: number[] };

/**
 * A node of the graph that a session runs, with the tensors it met and the median time that it took, in microseconds.
 */
export type Kernel = { op: string; inputs: Met[]; outputs: Met[]; constantBytes: number; us: number };

const tensors = z.array(z.record(z.string(), z.array(z.number())));
const events = z.array(
  z.object({
    name: z.string().optional(),
    dur: z.number().optional(),
    args: z
      .object({
        op_name: z.string(),
        node_index: z.string(),
        input_type_shape: tensors,
        output_type_shape: tensors,
        parameter_size: z.string(),
      })
      .partial()
      .optional(),
  }),
);

/**
 * Runs a model `runs` times over these inputs and returns its kernels as the runtime's own profile shows them, in
 * order.
 */
export async function kernelsOf(model: Uint8Array, feeds: Feeds, runs = 30): Promise<Kernel[]> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-profile-"));
  try {
    const session = await openOrt(model, { enableProfiling: true, profileFilePrefix: join(dir, "p") });
    for (let i = 0; i < runs; i++) await session.run(feeds);
    session.endProfiling();
    await session.release();
    const [file = ""] = readdirSync(dir);
    return read(events.parse(JSON.parse(readFileSync(join(dir, file), "utf8"))));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function read(found: z.infer<typeof events>): Kernel[] {
  const times = new Map<string, number[]>();
  const kernels = new Map<string, Kernel>();
  for (const { name, dur = 0, args } of found) {
    const { op_name: op, node_index: index, input_type_shape: inputs, output_type_shape: outputs } = args ?? {};
    if (!name?.endsWith("_kernel_time") || op === undefined || index === undefined) continue;
    times.set(index, [...(times.get(index) ?? []), dur]);
    const constantBytes = Number(args?.parameter_size ?? 0);
    kernels.set(index, { op, inputs: met(inputs), outputs: met(outputs), constantBytes, us: 0 });
  }
  return [...kernels].map(([index, kernel]) => {
    const sorted = (times.get(index) ?? []).sort((a, b) => a - b);
    return { ...kernel, us: sorted[sorted.length >> 1] ?? 0 };
  });
}

function met(shapes: z.infer<typeof tensors> | undefined): Met[] {
  return (shapes ?? []).flatMap((shape) => Object.entries(shape).map(([type, dims]) => ({ type, dims })));
}

/** The share of each operator in the time of all kernels, the largest first. */
export function shares(kernels: readonly Kernel[]): { op: string; share: number }[] {
  const total = kernels.reduce((sum, { us }) => sum + us, 0);
  const byOp = new Map<string, number>();
  for (const { op, us } of kernels) byOp.set(op, (byOp.get(op) ?? 0) + us);
  return [...byOp].map(([op, us]) => ({ op, share: us / total })).sort((a, b) => b.share - a.share);
}
