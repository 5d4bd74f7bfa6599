import { createHash } from "node:crypto";
import { type Entry, requestBody } from "./body.ts";
import { IngestError } from "./error.ts";
import { type Outcome, readOutcomes } from "./outcome.ts";
import { type PostOptions, post } from "./post.ts";
import type { Route } from "./route.ts";

/** How entries are sent. */
export type SendOptions = PostOptions & {
  /** Begins every Idempotency-Key: a body sent twice under one prefix gets its first answer again. */
  keyPrefix: string;
};

/**
 * Posts entries in one request and returns their outcomes in order. Entries in conflict are set aside and the others
 * sent again at once; a request over the API's limits is halved. Throws IngestError when the API refuses the request or
 * stays out of reach.
 */
export async function sendEntries<Status extends string>(
  entries: readonly Entry[],
  options: SendOptions,
  route: Route<Status>,
): Promise<Outcome<Status>[]> {
  if (entries.length === 0) return [];
  const body = requestBody(entries);
  const key = `${options.keyPrefix}-${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const reply = await post(route.path, body, key, options);
  if (reply.status === 413) {
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) return [tooLarge(only)];
    const half = Math.ceil(entries.length / 2);
    const first = await sendEntries(entries.slice(0, half), options, route);
    return [...first, ...(await sendEntries(entries.slice(half), options, route))];
  }
  const outcomes = readOutcomes(reply.body, entries, route);
  if (reply.status !== 409) return outcomes;
  const rest = entries.filter((_, i) => outcomes[i]?.status !== "conflict");
  if (rest.length === entries.length) {
    throw new IngestError("bad-answer", "the API answered 409 without naming an item in conflict");
  }
  const others = (await sendEntries(rest, options, route)).values();
  return outcomes.flatMap((outcome) => (outcome.status === "conflict" ? [outcome] : (others.next().value ?? [])));
}

type TooLarge = { externalId: string; status: "failed"; error: { type: string; detail: string } };

/** The outcome of an item that no request has room for. */
export function tooLarge({ externalId }: Pick<Entry, "externalId">): TooLarge {
  const error = { type: "/errors/payload-too-large", detail: "the API takes no body of this size" };
  return { externalId, status: "failed", error };
}
