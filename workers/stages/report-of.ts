import type { RelationsPackage, TextRelations } from "@isnad/lib/contract";
import { VERSION } from "@isnad/lib/service/config";
import { relationsReport } from "@isnad/lib/ingest";
import type { RelationsReport } from "@isnad/lib/store";

type Found = TextRelations["relations"][number];

/** What found the relations, in the package. */
const TASK = "re-1";

/** How a report says where it comes from, and how long the finding took. */
export type ReportOrigin = { articleId: number; requestId: string; tookMs: number };

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

/** Where the arguments of an event stand, by the same roles. */
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
