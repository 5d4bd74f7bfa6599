import { basename } from "node:path";
import type { Tally } from "./outcome.ts";

/** What an import of one file came to; `resumedAt` is the line at which an earlier one had stopped. */
export type FileReport = { file: string; resumedAt: number; seconds: number; tally: Tally };

const number = new Intl.NumberFormat("en-US");

/** The summary of an import as lines for people. */
export function reportText(reports: readonly FileReport[]): string {
  return reports.map(fileText).join("\n");
}

function fileText({ file, resumedAt, seconds, tally }: FileReport): string {
  const { received, accepted, duplicate, conflict, failed } = tally;
  const lines = [
    `${basename(file)}: ${number.format(received)} articles in ${seconds.toFixed(1)} s`,
    ...(resumedAt > 0 ? [`  (${number.format(resumedAt)} lines had been sent by an earlier, unfinished import)`] : []),
    ...counted({ accepted, duplicate, conflict, failed }),
  ];
  const problems = Object.entries(tally.problems).sort(([, a], [, b]) => b.count - a.count);
  for (const [type, { count, examples }] of problems) {
    lines.push(`  ${type}: ${number.format(count)}, for instance`);
    for (const { line, externalId, detail } of examples)
      lines.push(`    line ${line} (${externalId || "no id"}): ${detail}`);
  }
  const derived = Object.entries(tally.derived).filter(([, count]) => count > 0);
  if (derived.length > 0) lines.push("  filled in or left out", ...counted(Object.fromEntries(derived), DERIVED));
  return `${lines.join("\n")}\n`;
}

/** What was derived, in words. */
const DERIVED: Record<string, string> = {
  url: "no URL: one made from source and id",
  title: "no title: the first sentence of the text",
  lead: "text too short alone: its lead put before it",
  "date-unreadable": "date unreadable: sent without, kept in raw",
  cut: "larger than a request may be: content cut",
};

function counted(counts: Record<string, number>, words: Record<string, string> = {}): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${number.format(count).padStart(8)}  ${words[name] ?? name}`);
}

/** The summary of an import as one JSON value. */
export function reportJson(reports: readonly FileReport[]): object {
  return {
    files: reports.map(({ file, resumedAt, seconds, tally }) => ({
      file,
      resumed_at: resumedAt,
      seconds: Number(seconds.toFixed(3)),
      ...tally,
    })),
  };
}
