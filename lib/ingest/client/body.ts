import type { DeletionReport, ItemDraft } from "../../contract/mod.ts";

/** An item ready to be sent. */
export interface Entry {
  readonly externalId: string;
  /** The item as JSON. */
  readonly json: string;
}

/** Describes what bounds a request: items, and bytes of its body. */
export interface BatchLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

/** The ingest contract's own limits, with a little room for what lies between. */
export const USUAL_LIMITS: BatchLimits = { maxItems: 100, maxBytes: 1_490_000 };

const OPEN = '{"articles":[';
const CLOSE = "]}";
const encoder = new TextEncoder();

/** The body of a request with these entries. */
export function requestBody(entries: readonly Entry[]): string {
  return OPEN + entries.map((entry) => entry.json).join(",") + CLOSE;
}

/** The bytes that the items of a request may take, one comma each. */
export function roomOf({ maxBytes }: BatchLimits): number {
  return maxBytes - OPEN.length - CLOSE.length;
}

/** The bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/**
 * An item as JSON of at most `room` bytes; its content is shortened where that is needed, which loses nothing that the
 * ingest route would keep (200,000 characters). Undefined for an item that is too large without its content.
 */
export function fitItem(item: ItemDraft | DeletionReport, room: number): { json: string; cut: boolean } | undefined {
  const json = JSON.stringify(item);
  const over = byteLength(json) - room;
  if (over <= 0) return { json, cut: false };
  const shorter = JSON.stringify({ ...item, content: shortened("content" in item ? (item.content ?? "") : "", over) });
  return byteLength(shorter) <= room ? { json: shorter, cut: true } : undefined;
}

/** A content without at least the last `bytes` bytes of its JSON. */
function shortened(content: string, bytes: number): string {
  let end = content.length;
  let saved = 0;
  while (end > 0 && saved < bytes) {
    const from = Math.max(0, end - 4096);
    saved += byteLength(JSON.stringify(content.slice(from, end))) - 2;
    end = from;
  }
  return content.slice(0, end).replace(/[\uD800-\uDBFF]$/, "");
}
