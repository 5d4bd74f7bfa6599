import { type CommandContext, explain, writeJson } from "@isnad/lib/service/cli";
import type { Registry } from "../../lib/models/cards/registry.ts";

/**
 * `models verify [NAME…]`: compares files with the checksums of their cards. Exit code 1 when one is not as it should
 * be.
 */
export async function verify(
  registry: Registry,
  names: readonly string[],
  { stdout, stderr, json }: CommandContext,
): Promise<number> {
  const asked = names.length > 0 ? names : registry.list().map((entry) => entry.name);
  const results: { name: string; ok: boolean; problem?: string }[] = [];
  for (const name of asked) {
    const problem = await registry.verify(name).then(
      () => undefined,
      (error: unknown) => explain(error),
    );
    results.push(problem === undefined ? { name, ok: true } : { name, ok: false, problem });
    if (!json && problem === undefined) stdout.write(`${name}: every file is as its card says\n`);
    if (!json && problem !== undefined) stderr.write(`${problem}\n`);
  }
  if (json) writeJson(stdout, { results });
  return results.every((result) => result.ok) ? 0 : 1;
}
