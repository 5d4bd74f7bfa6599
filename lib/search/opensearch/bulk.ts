import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { at, backoffMs } from "../../std/mod.ts";
import { EngineError } from "../engines/error.ts";
import { faultOf, type OpenSearch } from "./client.ts";

/** One change of an index: a document with all its fields, or without any: it goes. */
export type Change = { id: number; version: number; source?: Record<string, unknown> | undefined };

/** Characters of one request, about. */
const REQUEST_SIZE = 4_000_000;
/** How often what an engine is too busy for is sent again, and how soon. */
const ATTEMPTS = 6;
const BACKOFF = { baseMs: 200, maxMs: 5_000 };

const Item = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish() }).optional(),
});
const Answer = z.object({ items: z.array(z.record(z.string(), Item)) });

type Line = { id: number; text: string };

/**
 * Makes changes, each in its own version: one that an index has in a later version stays as it is, and the deletion of
 * what is not there is none. What the engine is too busy for is sent again after a while. Rejects with
 * {@link EngineError}: `away` when it stays busy or cannot be written, `rejected` for a document that it does not
 * take; all others are written then.
 */
export async function bulk(
  search: OpenSearch,
  { index, isAlias }: { index: string; isAlias: boolean },
  changes: readonly Change[],
): Promise<void> {
  const common = { _index: index, version_type: "external_gte", ...(isAlias && { require_alias: true }) };
  const lines = changes.map(({ id, version, source }): Line => {
    const action = { ...common, _id: String(id), version };
    if (source === undefined) return { id, text: JSON.stringify({ delete: action }) };
    return { id, text: `${JSON.stringify({ index: action })}\n${JSON.stringify(source)}` };
  });
  const rejected: EngineError[] = [];
  for (const request of inRequests(lines)) await send(search, request, rejected);
  const [first] = rejected;
  if (first !== undefined) throw first;
}

function* inRequests(lines: readonly Line[]): Generator<Line[]> {
  let request: Line[] = [];
  let size = 0;
  for (const line of lines) {
    if (request.length > 0 && size + line.text.length > REQUEST_SIZE) {
      yield request;
      request = [];
      size = 0;
    }
    request.push(line);
    size += line.text.length;
  }
  if (request.length > 0) yield request;
}

async function send(search: OpenSearch, lines: readonly Line[], rejected: EngineError[]): Promise<void> {
  let rest = lines;
  for (let attempt = 0; rest.length > 0; attempt++) {
    const { items } = await search.request(Answer, {
      method: "POST",
      path: "/_bulk",
      lines: rest.map(({ text }) => text),
    });
    const busy: Line[] = [];
    let last: EngineError | undefined;
    for (const [i, item] of items.entries()) {
      const line = at(rest, i);
      const fault = Object.values(item).map((done) => faultOfItem(line.id, done))[0];
      if (fault === undefined) continue;
      if (fault.reason === "missing" || isBlocked(fault)) throw fault;
      if (fault.reason === "away") {
        busy.push(line);
        last = fault;
      } else rejected.push(fault);
    }
    if (last !== undefined && attempt + 1 >= ATTEMPTS) throw last;
    if (busy.length > 0) await sleep(backoffMs(attempt, BACKOFF));
    rest = busy;
  }
}

/** Why an item was not done; undefined where it was, or where the index has something later. */
function faultOfItem(id: number, { status, error }: z.output<typeof Item>): EngineError | undefined {
  if (error === undefined || status === 409) return undefined;
  const message = `opensearch: article ${id}: ${error.type}: ${error.reason ?? ""}`;
  return new EngineError(faultOf(status, error.type), message);
}

/** Whether nothing can be written for now: the disk is full, or somebody said so. */
function isBlocked({ message }: EngineError): boolean {
  return message.includes("cluster_block_exception");
}
