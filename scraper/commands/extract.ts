import { readFileSync, writeFileSync } from "node:fs";
import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/cli";
import type { ExtractedPage, PageSelectors } from "../extract/index.ts";
import { ReaderError, ReaderPool } from "../reader/index.ts";
import { readDocument } from "./pages.ts";
import { readSource } from "./source.ts";

const REFUSED = new Set(["block-page", "consent-page", "error-page", "empty"]);

/** `scraper:extract`: prints the article of a page, or of many pages from a list. */
export const scraperExtract = defineCommand({
  name: "scraper:extract",
  summary: "Extracts the article of a page and prints it as JSON.",
  positionals: { usage: "[FILE|URL]", min: 0, max: 1 },
  options: {
    url: { kind: "text", value: "ADDRESS", help: "the address that a file came from" },
    profile: { kind: "text", value: "NAME", help: "use the selectors of profiles/NAME.json" },
    batch: { kind: "text", value: "IN.jsonl", help: "lines {id, url, html_path}, pages plain or .gz" },
    out: { kind: "text", value: "OUT.jsonl", help: "where the lines of --batch go" },
  },
  async run({ values, positionals }, { env, signal, stdout }) {
    const pool = new ReaderPool();
    const selectors = values.profile === undefined ? {} : readSelectors(values.profile);
    try {
      if (values.batch !== undefined) {
        if (values.out === undefined) throw new UsageError("--batch needs --out");
        return await runBatch(pool, values.batch, values.out, selectors);
      }
      const [from] = positionals;
      if (from === undefined) throw new UsageError("name a file or an address, or use --batch");
      const source = await readSource(from, env, signal);
      const line = await extractLine(pool, { id: from, html: source.text, url: values.url ?? source.url, selectors });
      writeJson(stdout, line);
      return line.error === undefined ? 0 : 1;
    } finally {
      await pool.close();
    }
  },
});

interface Job {
  readonly id: unknown;
  readonly html: string;
  readonly url: string;
  readonly selectors: PageSelectors;
}

async function runBatch(pool: ReaderPool, input: string, out: string, selectors: PageSelectors): Promise<number> {
  const lines: string[] = [];
  let unreadable = 0;
  for (const line of readFileSync(input, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    try {
      const { id, url, html_path }: { id?: unknown; url?: string; html_path?: string } = JSON.parse(line);
      const html = readDocument(html_path ?? "").text;
      lines.push(JSON.stringify(await extractLine(pool, { id, html, url: url ?? "", selectors })));
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

async function extractLine(pool: ReaderPool, { id, html, url, selectors }: Job) {
  const start = performance.now();
  let page: ExtractedPage | undefined;
  let error: string | undefined;
  try {
    page = await pool.extract({ html, url, selectors });
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
    published_at: page?.publishedAt ?? null,
    canonical_url: page?.canonicalUrl ?? null,
    image: page?.image ?? null,
    language: page?.language ?? null,
    ms: Math.round((performance.now() - start) * 10) / 10,
    ...(error !== undefined && { error }),
  };
}

function readSelectors(name: string): PageSelectors {
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`not a profile name: ${name}`);
  try {
    const profile: { article?: PageSelectors } = JSON.parse(readFileSync(`profiles/${name}.json`, "utf8"));
    return profile.article ?? {};
  } catch (cause) {
    throw new CommandError(`cannot read the profile ${name}`, { cause });
  }
}
