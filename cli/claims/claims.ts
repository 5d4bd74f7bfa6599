import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  claimReviewsIn,
  claimsByTopic,
  readClaimReview,
  readReview,
  type ReadReviewResult,
  reportCsv,
  reportMarkdown,
} from "@isnad/lib/claims";
import { CommandError, createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { parseJson } from "@isnad/lib/std";
import type { ListedClaim, ReviewInput, Store } from "@isnad/lib/store";
import { openCommandStore } from "../open-store.ts";
import { DelimitedReader, separatorOf, TableError } from "../table.ts";

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
  for (let after: { value: string; id: number } | undefined; claims.length < limit; ) {
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

/** Longest file, in bytes once it is unpacked. */
const MAX_BYTES = 1_000_000_000;

/** Reviews of one transaction. */
const BATCH = 100;

/** Wrong rows that are told one by one; the rest are counted. */
const MAX_TOLD = 100;

/** A row of the file by its number, and what became of it. */
type ReadRow = { row: number; read: ReadReviewResult };

/** Columns of a table, by the fields of a review. */
const COLUMNS: Record<string, readonly string[]> = {
  claim_text: ["claim_text", "claim", "claimreviewed", "claim_reviewed", "text"],
  lang: ["lang", "language", "inlanguage"],
  rating: ["rating", "ratingvalue", "rating_value"],
  rating_text: ["rating_text", "verdict", "alternatename", "label"],
  url: ["url", "link", "review_url"],
  publisher: ["publisher", "author", "organisation", "organization"],
  published_at: ["published_at", "date", "datepublished", "published"],
  claimant: ["claimant", "claim_author", "speaker"],
  claimed_at: ["claimed_at", "claim_date"],
  appearances: ["appearances", "appearance", "claim_url"],
};

/** `reviews:import`. */
export const reviewsImport = defineCommand({
  name: "reviews:import",
  summary: "Imports reviews from files: ClaimReview JSON-LD, its data feed, or CSV (plain or gzip).",
  positionals: { usage: "FILE…", min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    publisher: { kind: "text", value: "NAME", help: "who checked it, for rows that do not say" },
    "dry-run": { kind: "flag", help: "read and check the rows, and store none" },
  },
  details: `
A file that begins with { or [ is JSON-LD: a ClaimReview, a list or graph of them, or a DataFeed. Any other is a table with a head of
columns: ${Object.keys(COLUMNS).join(", ")}; rating is 1 (false) to 5 (true), appearances are parted by blanks.
The same url with the same claim is stored once. Each wrong row is named with its field and rule, the others are stored; exit code 1
says that there was one.`,
  async run({ values, positionals }, { env, stdout, stderr, json, signal }) {
    const isDry = values["dry-run"] === true;
    const counts = { read: 0, created: 0, existing: 0, failed: 0 };
    await using opened = isDry ? undefined : await openCommandStore(env, { creates: true });
    const progress = createProgress(stderr);
    for (const file of positionals) {
      const rows = readRows(file, values.publisher);
      const good: ReviewInput[] = [];
      for (const { row, read } of rows) {
        counts.read++;
        if ("review" in read) good.push(read.review);
        else {
          counts.failed++;
          if (counts.failed <= MAX_TOLD) stderr.write(`${file}: row ${row}: ${read.problems.join("; ")}\n`);
        }
      }
      for (let at = 0; at < good.length && opened !== undefined; at += BATCH) {
        signal.throwIfAborted();
        const { outcomes } = await opened.store.reviews.create(good.slice(at, at + BATCH), "import");
        for (const { status } of outcomes) counts[status]++;
        progress.update(at, good.length, file);
      }
    }
    progress.clear();
    if (counts.failed > MAX_TOLD) stderr.write(`and ${counts.failed - MAX_TOLD} more\n`);
    if (json) writeJson(stdout, counts);
    else {
      const { read, created, existing, failed } = counts;
      stdout.write(
        isDry
          ? `${read} reviews read, ${failed} of them wrong; nothing was stored\n`
          : `${read} reviews read: ${created} stored, ${existing} were there, ${failed} wrong\n`,
      );
    }
    return counts.failed === 0 ? 0 : 1;
  },
});

/** Reads the rows of a file. @throws CommandError for a file that cannot be read at all */
function readRows(file: string, publisher: string | undefined): ReadRow[] {
  const text = readWhole(file);
  return /^\s*[[{]/.test(text.slice(0, 1_000)) ? jsonRows(file, text, publisher) : tableRows(file, text, publisher);
}

function readWhole(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new CommandError(`${file}: is larger than ${MAX_BYTES} bytes`);
    const bytes = readFileSync(file);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isPacked ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
    return plain.toString("utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`${file}: cannot be read`, { cause });
  }
}

function jsonRows(file: string, text: string, publisher: string | undefined): ReadRow[] {
  const document = parseJson(text);
  if (document === undefined) throw new CommandError(`${file}: is no JSON`);
  const reviews = claimReviewsIn(document);
  if (reviews.length === 0) throw new CommandError(`${file}: holds no ClaimReview`);
  return reviews.map((value, i) => ({
    row: i + 1,
    read: readClaimReview(
      publisher === undefined || value.author !== undefined ? value : { ...value, author: publisher },
    ),
  }));
}

function tableRows(file: string, text: string, publisher: string | undefined): ReadRow[] {
  try {
    const [head, ...rows] = new DelimitedReader(separatorOf(text)).read(text, { isLast: true });
    const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase().replaceAll(" ", "_"));
    const places = Object.entries(COLUMNS).map(([field, known]) => {
      return { field, place: names.findIndex((name) => known.includes(name)) };
    });
    if (!places.some(({ field, place }) => field === "claim_text" && place >= 0)) {
      throw new CommandError(`${file}: has no column claim_text; its head is ${names.join(", ").slice(0, 200)}`);
    }
    return rows.map(({ number, cells }) => {
      const fields: Record<string, unknown> = { publisher };
      for (const { field, place } of places) {
        const cell = (place < 0 ? "" : (cells[place] ?? "")).trim();
        if (cell !== "") fields[field] = cellValue(field, cell);
      }
      return { row: number, read: readReview(fields) };
    });
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw new CommandError(`${file}: ${cause.message}`, { cause });
  }
}

/** Returns what a cell says; a rating that is no number stays a text, which its rule refuses. */
function cellValue(field: string, cell: string): unknown {
  if (field === "appearances") return cell.split(/\s+/);
  return field === "rating" && Number.isFinite(Number(cell)) ? Number(cell) : cell;
}
