import { URL } from "node:url";
import { InferenceError } from "@isnad/lib/models";
import { openThreads, type Threads, type ThreadsLogger } from "@isnad/lib/service/threads";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";
import type { ReEntity } from "../../lib/arabic/relations/words.ts";
import { type Senses, sensesOf } from "../../lib/arabic/senses/answer.ts";
import type { EntityFinder } from "./models.ts";
import type { start } from "./worker.ts";

/** Lists what can be told of a text: words, entities, senses of words, events, the dialect. */
export const LAYERS = ["morph", "ner", "wsd", "re", "dialect"] as const;
export type Layer = (typeof LAYERS)[number];

/** Holds what texts are analysed with. */
export type AnalysisParts = { analysers: Pick<Analysers, "call">; entities: EntityFinder; senses: Senses };

/** Says whose call it is: `kind` names the route. */
type Caller = { signal: AbortSignal; kind: string };

/**
 * Returns the layers of a text that are asked for, over one cut into tokens; what was not asked for is undefined.
 * @throws PartUnavailable where a part is missing that a layer stands on
 */
export async function analyseText(
  text: string,
  layers: ReadonlySet<Layer>,
  { analysers, entities, senses }: AnalysisParts,
  { signal, kind }: Caller,
) {
  const parts = layers.has("wsd") ? { inventory: senses.inventory(), chooser: senses.chooser() } : undefined;
  const found = layers.has("ner") ? (await entities.nested(text, { kind, signal })).entities : undefined;
  const named = layers.has("re") ? (found ?? (await namesIn(entities, text, { signal, kind }))) : undefined;
  const call = { signal, retry: true, kind, cost: text.length };
  const given = named?.map(({ type, start, end }) => ({ type, start, end }));
  const { tokens, relations } = await analysers.call("analysis", { text, entities: given }, call);
  const dialect = layers.has("dialect") ? await analysers.call("identify", text, call) : undefined;
  const meant = parts === undefined ? undefined : await sensesOf(tokens, parts, signal);
  return { tokens, entities: found, senses: meant, relations, dialect };
}

/**
 * Returns the entities of a text; none without what finds them, or where it is broken: fewer arguments are right then.
 */
export async function namesIn(finder: EntityFinder, text: string, { signal, kind }: Caller): Promise<ReEntity[]> {
  try {
    const { entities } = await finder.nested(text, { kind, signal });
    return entities.map(({ type, start, end }) => ({ type, start, end }));
  } catch (error) {
    // A file that is read at the first text only fails as the thread does.
    const isBroken = error instanceof InferenceError && error.code === "worker-failed";
    if (isBroken || error instanceof PartUnavailable) return [];
    throw error;
  }
}

/** The threads that take text apart. */
export type Analysers = Threads<typeof start>;

/** `dataDir`: where a corpus is that the operator has imported. */
type AnalyserOptions = { logger?: ThreadsLogger; size?: number; dataDir?: string };

/** Calls of one route that a thread works on side by side: a short text need not wait until a long one is read. */
const CALLS_OF_ROUTE = 2;

/**
 * Opens them. A thread that cannot start, for a missing or damaged file, fails the calls that need it, with the
 * reason.
 */
export function openAnalysers({ logger, size = 1, dataDir }: AnalyserOptions = {}): Analysers {
  return openThreads<typeof start>({
    name: "linguistic analysis",
    url: new URL("./worker.ts", import.meta.url),
    size,
    perKind: CALLS_OF_ROUTE,
    data: { dataDir },
    errors: { PartUnavailable: (message, _, cause) => new PartUnavailable(message, { cause }) },
    ...(logger !== undefined && { logger }),
  });
}
