import { type RelationsPackage, TextRelations } from "@isnad/lib/contract";
import { relationsReport } from "@isnad/lib/ingest";
import { VERSION } from "@isnad/lib/service/config";
import { AppError, type ServiceClient } from "@isnad/lib/service/http";
import { isUnavailable, type RelationsReport, type Step, type Store } from "@isnad/lib/store";
import { codePointSlice, sentences } from "@isnad/lib/text";
import type { Stage, StageFailure } from "@isnad/lib/work";
import type { ArticleText } from "./run.ts";

type Found = Pick<
  TextRelations["relations"][number],
  "predicate" | "subject" | "object" | "event" | "confidence" | "offsets"
>;

/** Holds what found the relations, in the package. */
const TASK = "re-1";

/** Says how a report says where it comes from, and how long the finding took. */
type ReportOrigin = { articleId: number; requestId: string; tookMs: number };

/**
 * Reports the relations of an article as an external worker would: one for each event, its arguments by their roles. No
 * argument becomes an entity by itself: it says where it stands, so that it is linked to what the tagger finds there.
 */
export async function reportOf(
  found: readonly Found[],
  { articleId, requestId, tookMs }: ReportOrigin,
): Promise<RelationsReport> {
  const events = [...Map.groupBy(found, ({ offsets: { subject }, event }) => `${subject.start} ${event}`).values()];
  const body: RelationsPackage = {
    doc_id: String(articleId),
    lang: "ar",
    task_version: TASK,
    nlp_lab_version: VERSION,
    enrichment_status: "ok",
    relations: events.map(relationOf),
    enrich_ms: Math.round(tookMs),
  };
  const report = await relationsReport(body, requestId);
  const relations = report.relations.map((relation, i) => ({
    ...relation,
    entities: {},
    spans: spansOf(events[i] ?? []),
  }));
  return { ...report, relations };
}

/** The event reaches from the first of its words to the last. */
function relationOf(found: readonly Found[]) {
  const [{ event: type, subject: trigger } = { event: "", subject: "" }] = found;
  const args = byRole(found, ({ object }) => object);
  const places = found.flatMap(({ offsets: { subject, object } }) => [subject, object]);
  return {
    type,
    args,
    trigger,
    confidence: Math.min(...found.map(({ confidence }) => confidence)),
    offsets: {
      start: Math.min(...places.map(({ start }) => start)),
      end: Math.max(...places.map(({ end }) => end)),
    },
  };
}

/** Says where the arguments of an event stand, by the same roles. */
const spansOf = (found: readonly Found[]) =>
  byRole(found, ({ offsets: { object } }): [number, number] => [object.start, object.end]);

/** A value of each argument by its role; a second argument of a role has a number: `agent`, `agent_2`. */
function byRole<T>(found: readonly Found[], pick: (argument: Found) => T): Record<string, T> {
  const values: Record<string, T> = {};
  for (const argument of found) {
    let role: string = argument.predicate;
    for (let number = 2; Object.hasOwn(values, role); number++) role = `${argument.predicate}_${number}`;
    values[role] = pick(argument);
  }
  return values;
}

type RelationDeps = {
  store: Pick<Store, "articles" | "relations">;
  /** The linguistic service. */
  nlp: Pick<ServiceClient, "post">;
};

/**
 * Makes the stage `relations`: finds the events in Arabic articles once these can be searched, and stores them as `POST
 * /ingest/relations` does. While the service is away no attempt counts.
 */
export function relations({ store, nlp }: RelationDeps): Stage {
  return {
    name: "relations",
    after: "analysis",
    batch: 8,
    leaseS: 60,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    isAway: isServiceAway,
    async run(items, { signal, step }) {
      const ids = items.map(({ articleId }) => articleId);
      const articles = await store.articles.byIds(ids, ["articleId", "lang", "title", "content"]);
      const failures: StageFailure[] = [];
      let stored = 0;
      for (const article of articles.filter(({ lang }) => lang === "ar")) {
        try {
          stored += await extract({ store, nlp }, article, { step, signal });
        } catch (error) {
          if (signal.aborted || isServiceAway(error) || isUnavailable(error)) throw error;
          failures.push({ articleId: article.articleId, error });
        }
      }
      return { counts: { relations: stored }, failures };
    },
  };
}

/** Finds and stores the relations of an article; returns how many. */
async function extract(
  { store, nlp }: RelationDeps,
  { articleId, content }: ArticleText,
  { step, signal }: { step: Step; signal: AbortSignal },
): Promise<number> {
  const requestId = `relations-${articleId}`;
  const startedAt = performance.now();
  const found = await findRelations(nlp, content, { requestId, signal });
  const report = await reportOf(found, { articleId, requestId, tookMs: performance.now() - startedAt });
  const outcome = await store.relations.put(articleId, report, step);
  if (outcome.status === "outside") throw new AppError("validation-error", "relations lie outside the content");
  return outcome.status === "stored" ? outcome.stored : 0;
}

/** Returns whether the linguistic service cannot answer now, rather than refuse the article. */
function isServiceAway(error: unknown): boolean {
  return error instanceof AppError && error.status >= 500;
}

/** Code points of a text that the service takes at a time, at most. */
const MAX_TEXT = 20_000;

/**
 * Says where articles were read by eye, three in ten of the relations found with less were right; of the others six.
 */
const MIN_CONFIDENCE = 0.5;

type Place = { start: number; end: number };

/**
 * Finds the relations in a text of any length that are likely enough to be stored, by the linguistic service. Throws
 * AppError: 422 for a text that it refuses, 503 while it cannot answer.
 */
export async function findRelations(
  nlp: Pick<ServiceClient, "post">,
  text: string,
  on: { requestId: string; signal: AbortSignal },
): Promise<TextRelations["relations"]> {
  const all: TextRelations["relations"] = [];
  for (const { start, end } of piecesOf(text)) {
    const { relations } = await nlp.post("/re", { text: codePointSlice(text, start, end) }, TextRelations, on);
    const shift = (place: Place): Place => ({ start: place.start + start, end: place.end + start });
    for (const relation of relations) {
      if (relation.confidence < MIN_CONFIDENCE) continue;
      const { predicate, subject, object } = relation.offsets;
      const offsets = { predicate: predicate && shift(predicate), subject: shift(subject), object: shift(object) };
      all.push({ ...relation, offsets });
    }
  }
  return all;
}

/** Runs of whole sentences that are short enough; a longer sentence is cut. */
function piecesOf(text: string): Place[] {
  const pieces: Place[] = [];
  for (const { start, end } of sentences(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && end - last.start <= MAX_TEXT) last.end = end;
    else
      for (let from = start; from < end; from += MAX_TEXT)
        pieces.push({ start: from, end: Math.min(end, from + MAX_TEXT) });
  }
  return pieces;
}
