import type { RelationsPackage, TextRelations } from "@isnad/lib/contract";
import { VERSION } from "@isnad/lib/service/config";

type Found = TextRelations["relations"][number];

/** What found the relations, in the package. */
const TASK = "re-1";

/** Relations of an article as they are reported: one for each event, its arguments by their roles. */
export function packageOf(articleId: number, found: readonly Found[], tookMs: number): RelationsPackage {
  const events = Map.groupBy(found, ({ offsets: { subject }, event }) => `${subject.start} ${event}`);
  return {
    doc_id: String(articleId),
    lang: "ar",
    task_version: TASK,
    nlp_lab_version: VERSION,
    enrichment_status: "ok",
    relations: [...events.values()].map(relationOf),
    enrich_ms: Math.round(tookMs),
  };
}

/** The event reaches from the first of its words to the last. */
function relationOf(found: readonly Found[]) {
  const [{ event: type, subject: trigger } = { event: "", subject: "" }] = found;
  const args: Record<string, string> = {};
  for (const { predicate, object } of found) args[freeName(args, predicate)] = object;
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

/** The role, or with a number where another argument has it: `agent`, `agent_2`. */
function freeName(args: Record<string, string>, role: string): string {
  let name = role;
  for (let number = 2; Object.hasOwn(args, name); number++) name = `${role}_${number}`;
  return name;
}
