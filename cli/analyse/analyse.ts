import { Buffer } from "node:buffer";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
import { once } from "node:events";
import { extname } from "node:path";
import { loadConfig } from "@isnad/lib/service/config";
import { CommandError, createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { createLogger } from "@isnad/lib/service/process";
import { isObject, parseJson } from "@isnad/lib/std";
import { attempt } from "../../lib/arabic/attempt.ts";
import { openSenses } from "../../lib/arabic/senses/answer.ts";
import { openInventory } from "../../lib/arabic/senses/inventory.ts";
import { type Layer, LAYERS, openAnalysers } from "../../nlp/linguistic/analysis.ts";
import { openEntities, openModels } from "../../nlp/linguistic/models.ts";
import { analysisView } from "../../nlp/linguistic/routes/analyse.ts";
import { MAX_TEXT } from "../../nlp/linguistic/routes/both-forms.ts";
import { MIN_CONFIDENCE } from "../../nlp/linguistic/routes/re.ts";
import { DelimitedReader, separatorOf } from "../table.ts";

/** A text of the file by the number of its line, or why that line has none. */
type Line = { line: number; text: string } | { line: number; error: string };

/** Fields and columns that hold the text, the first one that is there. */
const TEXT_FIELDS = ["text", "content", "body"];

/** Columns of the table of tokens. */
const COLUMNS = [
  ...["line", "start", "end", "token", "lemma", "pos", "root", "diac", "case", "state", "mood"],
  ...["tags", "sense_id"],
];

/** `analyse`. */
export const analyse = defineCommand({
  name: "analyse",
  summary: "Takes the Arabic texts of a file apart: words, entities, senses, events, dialect.",
  positionals: { usage: "FILE", min: 1, max: 1 },
  options: {
    layers: { kind: "text", value: "LIST", help: `some of ${LAYERS.join(",")}; all by default` },
    field: { kind: "text", value: "NAME", help: `the field or column of the text (${TEXT_FIELDS.join(", ")})` },
    out: {
      kind: "text",
      value: "FILE",
      help: "write there instead; JSON lines that are there already are gone on from",
    },
    csv: { kind: "flag", help: "a table of tokens instead of JSON lines; entities as tags, without relations" },
  },
  details: `
FILE is JSON lines (objects with the text, or texts alone), or a table with a head of columns (.csv, .tsv). Nothing else has to run.
Each line of output is what POST /analyse answers, with the number of its line (\`line\`); a line that cannot be analysed has \`error\`
instead, and exit code 1 says that there was one. Memory does not grow with the file.`,
  async run({ values, positionals }, { env, stdout, stderr, json, signal }) {
    const [file = ""] = positionals;
    const layers = layersOf(values.layers);
    if (!existsSync(file)) throw new CommandError(`${file}: there is no such file`);
    const isTable = values.csv === true;
    if (isTable && values.out !== undefined && existsSync(values.out))
      throw new CommandError(`${values.out}: is there already, and a table is not gone on from`);
    const done = values.out === undefined || isTable ? 0 : linesDone(values.out);
    const config = loadConfig(env, { service: "nlp" });
    const logger = createLogger({ service: "nlp", level: "fatal" });
    const analysers = openAnalysers({ dataDir: config.dataDir });
    const models = await openModels({ dataDir: config.dataDir, logger, tagModel: config.models.tag });
    const parts = {
      ...{ analysers, entities: openEntities(models.tagger) },
      senses: openSenses(models, attempt(openInventory)),
    };
    const sink = values.out === undefined ? stdout : createWriteStream(values.out, { flags: "a" });
    const write = async (text: string): Promise<void> => {
      if (sink.write(text) === false && "once" in sink) await once(sink, "drain");
    };
    const progress = createProgress(stderr);
    const counts = { lines: 0, analysed: 0, failed: 0, skipped: done };
    try {
      if (isTable) await write(`${COLUMNS.join(",")}\r\n`);
      for await (const each of linesOf(file, values.field)) {
        signal.throwIfAborted();
        if (each.line <= done) continue;
        counts.lines++;
        const problem = "error" in each ? each.error : problemOf(each.text);
        if (problem !== undefined || "error" in each) {
          counts.failed++;
          if (isTable) stderr.write(`${file}: line ${each.line}: ${problem}\n`);
          else await write(`${JSON.stringify({ line: each.line, error: problem })}\n`);
          continue;
        }
        const question = { text: each.text, layers, min_confidence: MIN_CONFIDENCE };
        const view = await analysisView(question, parts, { signal, kind: "analyse" });
        counts.analysed++;
        await write(isTable ? tableOf(each.line, view.tokens) : `${JSON.stringify({ line: each.line, ...view })}\n`);
        progress.update(counts.lines, undefined, "lines");
      }
    } finally {
      progress.clear();
      if (sink !== stdout && "end" in sink) await new Promise<void>((resolve) => sink.end(resolve));
      await models.close();
      await analysers.close();
    }
    if (values.out !== undefined) {
      if (json) writeJson(stdout, counts);
      else stdout.write(`${counts.analysed} analysed, ${counts.failed} failed, ${counts.skipped} there already\n`);
    }
    return counts.failed === 0 ? 0 : 1;
  },
});

function layersOf(list: string | undefined): readonly Layer[] {
  if (list === undefined) return LAYERS;
  return list.split(",").map((name) => {
    const layer = LAYERS.find((each) => each === name.trim());
    if (layer === undefined) throw new UsageError(`--layers: some of ${LAYERS.join(", ")}, parted by commas`);
    return layer;
  });
}

/** Returns why a text cannot be analysed; undefined where it can. */
function problemOf(text: string): string | undefined {
  if (text.trim() === "") return "the text is empty";
  return text.length > 2 * MAX_TEXT || [...text].length > MAX_TEXT
    ? `the text may have ${MAX_TEXT} characters at most`
    : undefined;
}

/** Longest line of a file, in UTF-16 units. */
const MAX_LINE = 16_000_000;

/** Gives the lines of a file one after the other; memory does not grow with their number. */
async function* linesOf(file: string, field: string | undefined): AsyncGenerator<Line> {
  const pieces = createReadStream(file, { encoding: "utf8" });
  if (/^\.(?:csv|tsv)$/i.test(extname(file))) {
    yield* rowsOf(pieces, field);
    return;
  }
  let rest = "";
  let line = 0;
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new CommandError(`${file}: line ${line + lines.length + 1} is too long`);
    for (const each of lines) {
      line++;
      if (each.trim() !== "") yield lineOf(line, each, field);
    }
  }
  if (rest.trim() !== "") yield lineOf(line + 1, rest, field);
}

function lineOf(line: number, written: string, field: string | undefined): Line {
  const value = parseJson(written);
  if (typeof value === "string") return { line, text: value };
  if (!isObject(value)) return { line, error: "is no JSON object and no text" };
  const name = field ?? TEXT_FIELDS.find((each) => typeof value[each] === "string");
  const text = name === undefined ? undefined : value[name];
  return typeof text === "string"
    ? { line, text }
    : { line, error: `has no text in ${field ?? TEXT_FIELDS.join(", ")}` };
}

async function* rowsOf(pieces: AsyncIterable<string>, field: string | undefined): AsyncGenerator<Line> {
  let reader: DelimitedReader | undefined;
  let place: number | undefined;
  const textsOf = function* (piece: string, isLast: boolean): Generator<Line> {
    reader ??= new DelimitedReader(separatorOf(piece));
    for (const { number, cells } of reader.read(piece, { isLast })) {
      if (place !== undefined) {
        yield { line: number, text: cells[place] ?? "" };
        continue;
      }
      const head = cells.map((cell) => cell.replace("\ufeff", "").trim().toLowerCase());
      const names = field === undefined ? TEXT_FIELDS : [field.toLowerCase()];
      place = names.map((name) => head.indexOf(name)).find((each) => each >= 0);
      if (place === undefined) throw new CommandError(`the table has no column ${names.join(", ")}`);
    }
  };
  for await (const piece of pieces) yield* textsOf(piece, false);
  yield* textsOf("", true);
}

/** Bytes at the end of a file in which its last line is looked for: a text has a megabyte or two of layers. */
const TAIL = 16_000_000;

/** Returns the number of the last line that an earlier run wrote whole, and cuts off what it did not. */
function linesDone(path: string): number {
  const size = existsSync(path) ? statSync(path).size : 0;
  if (size === 0) return 0;
  const bytes = Buffer.alloc(Math.min(size, TAIL));
  const file = openSync(path, "r");
  try {
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
  } finally {
    closeSync(file);
  }
  const end = bytes.lastIndexOf(10) + 1;
  if (end < bytes.length) truncateSync(path, size - bytes.length + end);
  if (end === 0) return 0;
  const start = end < 2 ? 0 : bytes.lastIndexOf(10, end - 2) + 1;
  const last = parseJson(bytes.toString("utf8", start, end));
  if (!isObject(last) || typeof last.line !== "number") throw new CommandError(`${path}: is no output of this command`);
  return last.line;
}

/** Returns rows of the table of tokens (RFC 4180), what a spreadsheet takes for a formula behind an apostrophe. */
function tableOf(line: number, tokens: readonly Record<string, unknown>[]): string {
  return tokens
    .map((token) => {
      const own: Record<string, unknown> = { line, ...token };
      return `${COLUMNS.map((name) => cellOf(own[name])).join(",")}\r\n`;
    })
    .join("");
}

function cellOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return "";
  const safe = typeof value !== "number" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
