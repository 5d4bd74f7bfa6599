import { writeFileSync } from "node:fs";
import { claimsByTopic, reportCsv, reportMarkdown } from "@isnad/lib/claims";
import { defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import type { ListedClaim, Store } from "@isnad/lib/store";
import { openCommandStore } from "../open-store.ts";

const DAY_MS = 86_400_000;

/** Claims of a page. */
const PAGE = 200;

/** `claims:report`. */
export const claimsReport = defineCommand({
  name: "claims:report",
  summary: "Writes the claims of a day by topic, the most repeated first, as Markdown or CSV.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    day: { kind: "text", value: "DATE", help: "in UTC; default: yesterday" },
    format: { kind: "text", value: "markdown|csv", help: "default: markdown; csv where --out ends so" },
    lang: { kind: "text", value: "ar|en", help: "claims in this language alone" },
    limit: { kind: "number", value: "N", help: "claims at most", default: 500, min: 1, max: 100_000 },
    out: { kind: "text", value: "FILE", help: "write to this file instead of the terminal" },
  },
  async run({ values }, { env, stdout, json, signal }) {
    const day = values.day ?? new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const from = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
    if (Number.isNaN(from) || new Date(from).toISOString().slice(0, 10) !== day) {
      throw new UsageError("--day: must be a date such as 2024-05-06");
    }
    const lang = (["ar", "en"] as const).find((each) => each === values.lang);
    if (values.lang !== undefined && lang === undefined) throw new UsageError("--lang: ar or en");
    const format = values.format ?? (values.out?.endsWith(".csv") ? "csv" : "markdown");
    if (format !== "markdown" && format !== "csv") throw new UsageError("--format: markdown or csv");
    await using opened = await openCommandStore(env);
    const claims = await claimsOf(opened.store, { from, lang, limit: values.limit, signal });
    const topics = claimsByTopic(claims);
    const text = format === "csv" ? reportCsv(topics) : reportMarkdown(day, topics);
    if (values.out !== undefined) writeFileSync(values.out, text);
    if (json) writeJson(stdout, { day, claims: claims.length, topics: topics.length });
    else stdout.write(values.out === undefined ? text : `${claims.length} claims of ${day} written to ${values.out}\n`);
    return 0;
  },
});

/** Reads the claims of a day, page by page. */
async function claimsOf(
  store: Pick<Store, "claims">,
  { from, lang, limit, signal }: { from: number; lang: string | undefined; limit: number; signal: AbortSignal },
): Promise<ListedClaim[]> {
  const claims: ListedClaim[] = [];
  for (let after: { value: number; id: number } | undefined; claims.length < limit; ) {
    signal.throwIfAborted();
    const size = Math.min(PAGE, limit - claims.length);
    const query = { from, to: from + DAY_MS - 1, lang, sort: "repeats" as const, limit: size, after };
    const page = await store.claims.list(query);
    claims.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < size) break;
    after = { value: last.value, id: last.claimId };
  }
  return claims;
}
