import { explain } from "@isnad/lib/service/cli";
import type { Config } from "@isnad/lib/service/config";
import { openRegistry } from "@isnad/lib/models";
import { type Finding, findings } from "./finding.ts";

/**
 * Every model at hand, compared with the checksums of its card; and those that settings name and that are not there.
 */
export async function modelFindings({ dataDir, models }: Config): Promise<Finding[]> {
  const { list, ok, fail } = findings("model");
  const registry = openRegistry({ dataDir });
  for (const { name, card } of registry.list()) {
    const problem = await registry.verify(name).then(
      () => undefined,
      (error: unknown) => explain(error),
    );
    if (problem !== undefined) fail(name, problem);
    else ok(name, `${card?.task ?? "?"}, ${digests(card?.files)}`);
  }
  const there = new Set(registry.list().map(({ name }) => name));
  for (const [task, name] of Object.entries(models)) {
    if (name !== undefined && !there.has(name))
      fail(name, `is set for ${task}, and is not here: bun run models pull ${name}`);
  }
  return list;
}

/** The beginning of each file's SHA-256. */
function digests(files: Readonly<Record<string, { sha256: string }>> | undefined): string {
  return Object.entries(files ?? {})
    .map(([file, { sha256 }]) => `${file} ${sha256.slice(0, 12)}`)
    .join(", ");
}
