import { readFileSync, writeFileSync } from "node:fs";
import { defineCommand, UsageError, writeJson } from "@isnad/lib/cli";
import { loadConfig } from "@isnad/lib/config";
import { pageHints } from "../crawl/index.ts";
import type { ExtractedPage, PageInput } from "../extract/index.ts";
import { ReaderError, ReaderPool } from "../reader/index.ts";
import { readDocument } from "./pages.ts";
import { profileNamed } from "./profile-named.ts";
import { IGNORE_ROBOTS, readSource } from "./source.ts";

const REFUSED = new Set(["block-page", "consent-page", "error-page", "empty"]);

/** `scraper:extract`: prints the article of a page, or of many pages from a list. */
export const scraperExtract = defineCommand({
  name: "scraper:extract",
  summary: "Extracts the article of a page and prints it as JSON.",
  positionals: { usage: "[FILE|URL]", min: 0, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    profile: { kind: "text", value: "NAME", help: "use the selectors and the time zone of this profile" },
    batch: { kind: "text", value: "IN.jsonl", help: "lines {id, url, html_path}, pages plain or .gz" },
    out: { kind: "text", value: "OUT.jsonl", help: "where the lines of --batch go" },
    "ignore-robots": IGNORE_ROBOTS,
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const hints: Hints =
      values.profile === undefined ? {} : pageHints(await profileNamed(values.profile, loadConfig(env)));
    const pool = new ReaderPool();
    try {
      if (values.batch !== undefined) {
        if (values.out === undefined) throw new UsageError("--batch needs --out");
        return await runBatch(pool, values.batch, values.out, hints);
      }
      const [from] = positionals;
      if (from === undefined) throw new UsageError("name a file or an address, or use --batch");
      const source = await readSource(from, { env, signal, ignoreRobots: values["ignore-robots"] });
      const line = await extractLine(pool, { id: from, html: source.text, url: values.url ?? source.url, hints });
      writeJson(stdout, line);
      return line.error === undefined ? 0 : 1;
    } finally {
      await pool.close();
    }
  },
});

type Hints = Pick<PageInput, "selectors" | "zone">;

interface Job {
  readonly id: unknown;
  readonly html: string;
  readonly url: string;
  readonly hints: Hints;
}

async function runBatch(pool: ReaderPool, input: string, out: string, hints: Hints): Promise<number> {
  const lines: string[] = [];
  let unreadable = 0;
  for (const line of readFileSync(input, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    try {
      const { id, url, html_path }: { id?: unknown; url?: string; html_path?: string } = JSON.parse(line);
      const html = readDocument(html_path ?? "").text;
      lines.push(JSON.stringify(await extractLine(pool, { id, html, url: url ?? "", hints })));
    } catch (error) {
      unreadable++;
      lines.push(JSON.stringify({ id: idOf(line), error: error instanceof Error ? error.message : String(error) }));
    }
  }
  writeFileSync(out, lines.map((line) => `${line}\n`).join(""));
  return unreadable === 0 ? 0 : 1;
}

function idOf(line: string): unknown {
  return /"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/.exec(line)?.[1]?.replace(/^"|"$/g, "") ?? null;
}

async function extractLine(pool: ReaderPool, { id, html, url, hints }: Job) {
  const start = performance.now();
  let page: ExtractedPage | undefined;
  let error: string | undefined;
  try {
    page = await pool.extract({ html, url, ...hints });
    if (REFUSED.has(page.kind)) error = page.kind;
  } catch (cause) {
    if (!(cause instanceof ReaderError)) throw cause;
    error = cause.code;
  }
  return {
    id,
    title: page?.title ?? "",
    content: page?.content ?? "",
    author: page?.authors.join(", ") || null,
    published_at: page?.publishedLocal ?? null,
    canonical_url: page?.canonicalUrl ?? null,
    image: page?.image ?? null,
    language: page?.language ?? null,
    ms: Math.round((performance.now() - start) * 10) / 10,
    ...(error !== undefined && { error }),
  };
}
