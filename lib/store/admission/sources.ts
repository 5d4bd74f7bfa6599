import { BoundedMap } from "../../std/mod.ts";
import type { Tx } from "../client.ts";
import type { AdmissionItem } from "../articles/columns.ts";

/** Sources seen in the database lately, so that a busy source costs no statement. */
export type SourceMemory = { has(key: string): boolean; add(keys: readonly string[]): void };

/** Remembers at most 10,000 sources for a minute. */
export function createSourceMemory(now: () => number = Date.now): SourceMemory {
  const until = new BoundedMap<string, number>(10_000);
  return {
    has: (key) => (until.get(key) ?? 0) > now(),
    add: (keys) => {
      for (const key of keys) until.set(key, now() + 60_000);
    },
  };
}

/** The sources of the items that the database does not know. */
export async function unknownSources(tx: Tx, items: readonly AdmissionItem[]): Promise<Set<string>> {
  const unknown = new Set(items.map((item) => item.sourceId));
  const rows = await tx<{ key: string }[]>`select key from sources where key = any(${[...unknown]}::text[])`;
  for (const { key } of rows) unknown.delete(key);
  return unknown;
}

/** Registers, inactive, the sources of the items that neither `memory` nor the database knows. */
export async function registerSources(tx: Tx, items: readonly AdmissionItem[], memory: SourceMemory): Promise<void> {
  const keys = [...new Set(items.map((item) => item.sourceId))].filter((key) => !memory.has(key)).sort();
  if (keys.length === 0) return;
  await tx`
    insert into sources (key, name)
    select key, key from unnest(${keys}::text[]) as t (key)
    where not exists (select from sources s where s.key = t.key)
    order by key
    on conflict do nothing`;
}
