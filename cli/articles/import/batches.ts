import { type BatchLimits, byteLength, fitItem, type Entry as IngestEntry, roomOf } from "@isnad/lib/ingest/client";
import type { Mapping } from "./mapping.ts";
import { type Reading, readRows } from "./rows.ts";
import { type Derived, mapRow } from "./row.ts";

/** An item ready to be sent, and the line that it came from. */
export type Entry = IngestEntry & { line: number };

/** A line that no item could be made of. */
export type Rejected = { line: number; externalId: string; error: { type: string; detail: string } };

/**
 * Consecutive lines of a file: `firstLine` to `lastLine`, all of them either in `entries` or in `rejected`, or blank.
 */
export type Batch = {
  sequence: number;
  firstLine: number;
  lastLine: number;
  bytesRead: number;
  entries: Entry[];
  rejected: Rejected[];
  derived: Partial<Record<Derived | "cut", number>>;
};

/** Reads a file from `fromLine` on (1 is the first) and groups its items. Holds one batch at a time. */
export async function* readBatches(
  path: string,
  options: { mapping: Mapping; limits: BatchLimits; derive: boolean; fromLine?: number },
): AsyncGenerator<Batch> {
  const { mapping, limits, derive, fromLine = 1 } = options;
  const room = roomOf(limits);
  let sequence = 0;
  let bytes = 0;
  let batch = emptyBatch(sequence, fromLine);
  for await (const line of readRows(path)) {
    if (line.number < fromLine) continue;
    const made = makeEntry(line, { mapping, derive, room });
    const size = made?.entry === undefined ? 0 : byteLength(made.entry.json) + 1;
    if (batch.entries.length > 0 && (batch.entries.length >= limits.maxItems || bytes + size > room)) {
      yield batch;
      batch = emptyBatch(++sequence, line.number);
      bytes = 0;
    }
    batch.lastLine = line.number;
    batch.bytesRead = line.bytesRead;
    bytes += size;
    if (made?.entry !== undefined) batch.entries.push(made.entry);
    if (made?.rejected !== undefined) batch.rejected.push(made.rejected);
    for (const name of made?.derived ?? []) batch.derived[name] = (batch.derived[name] ?? 0) + 1;
  }
  if (batch.lastLine >= batch.firstLine) yield batch;
}

function emptyBatch(sequence: number, firstLine: number): Batch {
  return { sequence, firstLine, lastLine: firstLine - 1, bytesRead: 0, entries: [], rejected: [], derived: {} };
}

type Made = { entry?: Entry; rejected?: Rejected; derived?: (Derived | "cut")[] };

function makeEntry(
  reading: Reading,
  { mapping, derive, room }: { mapping: Mapping; derive: boolean; room: number },
): Made | undefined {
  const { number: line, row, error } = reading;
  if (error !== undefined) return { rejected: { line, externalId: "", error } };
  if (row === undefined) return undefined;
  const { item, derived } = mapRow(row, mapping, { derive });
  const externalId = item.external_id ?? "";
  const fitted = fitItem(item, room);
  if (fitted !== undefined) {
    return { entry: { line, externalId, json: fitted.json }, derived: fitted.cut ? [...derived, "cut"] : derived };
  }
  return {
    rejected: {
      line,
      externalId,
      error: { type: "/errors/payload-too-large", detail: `the item alone exceeds ${room} bytes` },
    },
  };
}
