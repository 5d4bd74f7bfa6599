import { readLines } from "./lines.ts";
import type { Mapping } from "./mapping.ts";
import { type Derived, mapRow } from "./row.ts";

/** An item ready to be sent: its JSON, and the line that it came from. */
export type Entry = { line: number; externalId: string; json: string };

/** A line that no item could be made of. */
export type Rejected = { line: number; externalId: string; error: { type: string; detail: string } };

/** Consecutive lines of a file: `firstLine` to `lastLine`, all of them either in `entries` or in `rejected`, or blank. */
export type Batch = {
  sequence: number;
  firstLine: number;
  lastLine: number;
  bytesRead: number;
  entries: Entry[];
  rejected: Rejected[];
  derived: Partial<Record<Derived | "cut", number>>;
};

/** What bounds a batch: items, and bytes of the request's body. */
export type BatchLimits = { maxItems: number; maxBytes: number };

const ENVELOPE = { open: '{"articles":[', close: "]}" };
const encoder = new TextEncoder();

/** The body of a request with these entries. */
export function requestBody(entries: readonly Entry[]): string {
  return ENVELOPE.open + entries.map((entry) => entry.json).join(",") + ENVELOPE.close;
}

/** Reads a file from `fromLine` on (1 is the first) and groups its items. Holds one batch at a time. */
export async function* readBatches(
  path: string,
  options: { mapping: Mapping; limits: BatchLimits; derive: boolean; fromLine?: number },
): AsyncGenerator<Batch> {
  const { mapping, limits, derive, fromLine = 1 } = options;
  const room = limits.maxBytes - ENVELOPE.open.length - ENVELOPE.close.length;
  let sequence = 0;
  let bytes = 0;
  let batch = emptyBatch(sequence, fromLine);
  for await (const line of readLines(path)) {
    if (line.number < fromLine) continue;
    const made = makeEntry(line.number, line.text, { mapping, derive, room });
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
  line: number,
  text: string,
  { mapping, derive, room }: { mapping: Mapping; derive: boolean; room: number },
): Made | undefined {
  if (text.trim() === "") return undefined;
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return {
      rejected: { line, externalId: "", error: { type: "/errors/malformed-json", detail: "the line is no JSON" } },
    };
  }
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    return {
      rejected: {
        line,
        externalId: "",
        error: { type: "/errors/invalid-field", detail: "the line is no JSON object" },
      },
    };
  }
  const { item, derived } = mapRow({ ...row }, mapping, { derive });
  const externalId = item.external_id ?? "";
  let json = JSON.stringify(item);
  const over = byteLength(json) - room;
  if (over <= 0) return { entry: { line, externalId, json }, derived };
  json = JSON.stringify({ ...item, content: cut(item.content ?? "", over) });
  if (byteLength(json) <= room) return { entry: { line, externalId, json }, derived: [...derived, "cut"] };
  return {
    rejected: {
      line,
      externalId,
      error: { type: "/errors/payload-too-large", detail: `the item alone exceeds ${room} bytes` },
    },
  };
}

/**
 * Shortens a content by at least `bytes` bytes of JSON. The ingest route keeps 200,000 characters at most, so that a body
 * over its limit loses nothing that would have been kept.
 */
function cut(content: string, bytes: number): string {
  let end = content.length;
  let saved = 0;
  while (end > 0 && saved < bytes) {
    const from = Math.max(0, end - 4096);
    saved += byteLength(JSON.stringify(content.slice(from, end))) - 2;
    end = from;
  }
  return content.slice(0, end).replace(/[\uD800-\uDBFF]$/, "");
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
