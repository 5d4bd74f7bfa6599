import { rmSync } from "node:fs";
import { type CommandContext, CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { importedHead, importedPath, writeImported } from "../../lib/arabic/dialect/corpus.ts";
import { readTable, type Row, TableError } from "../table.ts";
import type { CorpusSentence } from "../../lib/arabic/dialect/glossary.ts";

/** Holds what is wrong in a row: its number as a spreadsheet shows it, the column, the rule that it breaks. */
type RowProblem = { row: number; column: string; rule: string };

/** The sentences without a mistake, in the order of the file, and all that is wrong. */
type NabraReading = { rows: number; sentences: CorpusSentence[]; problems: RowProblem[] };

/** Columns that must be there, as the corpus's read-me names them; other names that are known for them. */
const COLUMNS = {
  sentenceId: ["sentence"],
  wordPosition: ["position", "wordId", "tokenId"],
  rawToken: ["raw"],
  Token: ["CODA"],
  Prefixes: ["prefix"],
  Stem: [],
  Suffixes: ["suffix"],
  POS: [],
  MSALemma: [],
  DALemma: ["dialectLemma"],
  Gloss: [],
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS).filter((name): name is Column => name in COLUMNS);

/** Columns that some editions have: the local dialect of a sentence. */
const DIALECT = ["dialect", "subDialect", "region"];

/** Holds what a sentence is of where the file does not say. */
const DEFAULT_DIALECT = "syrian";

const FILLED: readonly Column[] = ["sentenceId", "wordPosition", "rawToken", "Token", "POS"];
const MAX_CELL_CHARS = 500;

type Word = { position: number; row: number; token: CorpusSentence["tokens"][number] };

/**
 * Reads the annotation table of Nâbra, or of any corpus of the same columns (Lisan, Curras, Baladi): one word a row,
 * a head with the names of the columns. A sentence with a mistake in any of its rows is left out. Throws TableError
 * when the table has no head or a column is missing.
 */
function readNabra(table: Iterable<Row>): NabraReading {
  const rows = table[Symbol.iterator]();
  const head = rows.next();
  if (head.done === true) throw new TableError("is empty");
  const { of, dialect } = columnsOf(head.value.cells);
  const problems: RowProblem[] = [];
  const bad = new Set<string>();
  const sentences = new Map<string, { dialect: string; words: Map<number, Word> }>();
  let count = 0;
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    const { number: row, cells } = next.value;
    count++;
    const cell = (column: Column): string => cells[of[column]]?.trim() ?? "";
    const id = cell("sentenceId");
    const before = problems.length;
    const tell = (column: string, rule: string): void => void problems.push({ row, column, rule });
    if (cells.length > head.value.cells.length && cells.slice(head.value.cells.length).some((each) => each !== "")) {
      tell("", `has ${cells.length} cells where the head has ${head.value.cells.length}`);
    }
    for (const column of NAMES) {
      const rule = brokenRule(column, cell(column));
      if (rule !== undefined) tell(column, rule);
    }
    const prefixes = affixes(cell("Prefixes"));
    const suffixes = affixes(cell("Suffixes"));
    if (prefixes === undefined) tell("Prefixes", AFFIX_RULE);
    if (suffixes === undefined) tell("Suffixes", AFFIX_RULE);
    const parts = [...(prefixes ?? []), ...(suffixes ?? [])];
    if (cell("Stem") === "" && parts.length > 0) tell("Stem", "must not be empty beside prefixes or suffixes");
    const words = sentences.get(id)?.words;
    const position = Number(cell("wordPosition"));
    const same = words?.get(position);
    if (same !== undefined) tell("wordPosition", `is that of row ${same.row} in the same sentence`);
    if (problems.length > before) {
      bad.add(id);
      continue;
    }
    const token = {
      token: cell("rawToken"),
      coda: cell("Token"),
      segmentation: [...(prefixes ?? []), cell("Stem") || cell("Token"), ...(suffixes ?? [])],
      lemma_msa: cell("MSALemma"),
      lemma_dialect: cell("DALemma"),
      pos: cell("POS"),
      gloss: cell("Gloss"),
    };
    const region = dialect === undefined ? "" : (cells[dialect]?.trim() ?? "");
    const sentence = sentences.get(id) ?? { dialect: region || DEFAULT_DIALECT, words: new Map<number, Word>() };
    sentence.words.set(position, { position, row, token });
    sentences.set(id, sentence);
  }
  return { rows: count, sentences: assemble(sentences, bad), problems };
}

function assemble(
  sentences: ReadonlyMap<string, { dialect: string; words: ReadonlyMap<number, Word> }>,
  bad: ReadonlySet<string>,
): CorpusSentence[] {
  return [...sentences].flatMap(([id, { dialect, words }]) => {
    if (bad.has(id)) return [];
    const tokens = [...words.values()].sort((a, b) => a.position - b.position).map(({ token }) => token);
    return [{ sentence_id: Number(id), text: tokens.map(({ token }) => token).join(" "), dialect, tokens }];
  });
}

/** Returns the places of the columns by their names, whatever their case, spaces and underscores. */
function columnsOf(cells: readonly string[]): { of: Record<Column, number>; dialect: number | undefined } {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");
  const places = new Map<string, number>();
  cells.forEach((name, place) => {
    if (!places.has(plain(name))) places.set(plain(name), place);
  });
  const placeOf = (names: readonly string[]): number | undefined =>
    names.map((name) => places.get(plain(name))).find((place) => place !== undefined);
  const missing = NAMES.filter((name) => placeOf([name, ...COLUMNS[name]]) === undefined);
  if (missing.length > 0) throw new TableError(`row 1: these columns are missing: ${missing.join(", ")}`);
  const place = (name: Column): number => placeOf([name, ...COLUMNS[name]]) ?? 0;
  return {
    of: {
      sentenceId: place("sentenceId"),
      wordPosition: place("wordPosition"),
      rawToken: place("rawToken"),
      Token: place("Token"),
      Prefixes: place("Prefixes"),
      Stem: place("Stem"),
      Suffixes: place("Suffixes"),
      POS: place("POS"),
      MSALemma: place("MSALemma"),
      DALemma: place("DALemma"),
      Gloss: place("Gloss"),
    },
    dialect: placeOf(DIALECT),
  };
}

function brokenRule(column: Column, cell: string): string | undefined {
  if (cell === "") return FILLED.includes(column) ? "must not be empty" : undefined;
  if (cell.includes("\ufffd")) return "holds U+FFFD: the file was saved in another encoding once";
  if (/^#(REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!)$/.test(cell)) return `is an error of the spreadsheet: ${cell}`;
  if (cell.length > MAX_CELL_CHARS) return `has more than ${MAX_CELL_CHARS} characters`;
  if (column === "sentenceId" && !/^\d{1,10}$/.test(cell)) return "must be a whole number of at most ten digits";
  if (column === "wordPosition" && !/^\d{1,6}$/.test(cell)) return "must be a whole number";
  return undefined;
}

const AFFIX_RULE = "must be empty, or forms with their tags: ⟨form/TAG⟩ + ⟨form/TAG⟩";

/** Returns the forms of `{⟨و/CONJ⟩ + ⟨ال/DET⟩}`, brackets or not; undefined for what is written otherwise. */
function affixes(cell: string): string[] | undefined {
  const bare = cell.replace(/[{}⟨⟩<>()[\]]/g, "").trim();
  if (/^(?:|-|_|NULL|NA|NaN|None|0)$/i.test(bare)) return [];
  const forms = bare.split("+").map((part) => /^([^/]+)\/\S+$/u.exec(part.trim())?.[1]?.trim());
  return forms.every((form) => form !== undefined) ? forms : undefined;
}

const number = new Intl.NumberFormat("en-US");

/** Problems that are written out, without `--json`, at most. */
const MAX_LISTED_PROBLEMS = 100;

/** `lexicon:import`: brings in a corpus that the operator has. */
export const lexiconImport = defineCommand({
  name: "lexicon:import",
  summary: "Brings in a corpus of dialect sentences that /dialect/nabra then answers from.",
  positionals: { usage: "nabra FILE.csv|.tsv|.xlsx", min: 1, max: 2 },
  options: {
    licence: { kind: "text", value: "NAME", help: "the corpus's licence, for health", default: "not stated" },
    "skip-invalid": { kind: "flag", help: "import the sentences that are right although others are not" },
    "dry-run": { kind: "flag", help: "only check the file" },
    remove: { kind: "flag", help: "answer from the sentences that ship again" },
  },
  details: `
The file has one word a row, and a head with the columns of the corpus's read-me:
  sentenceId, wordPosition, rawToken, Token, Prefixes, Stem, Suffixes, POS, MSALemma, DALemma, Gloss
in any order, others beside them (a column Dialect is kept). Prefixes and Suffixes are empty, or forms with their tags:
⟨form/TAG⟩ + ⟨form/TAG⟩. What is wrong is told by row, column and rule, and nothing
is imported then, unless --skip-invalid is given. The corpus takes the place of the one imported before, and of the
sentences that ship; a running service answers from it at once.`,
  async run({ values, positionals }, context) {
    const [corpus, file] = positionals;
    if (corpus !== "nabra") throw new UsageError(`there is no corpus ${corpus}; it can be nabra`);
    const path = importedPath(loadConfig(context.env).dataDir);
    if (values.remove) return remove(path, file, context);
    if (file === undefined) throw new UsageError("which file?");
    const reading = await read(file);
    const { sentences, problems, rows } = reading;
    const words = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const refused = sentences.length === 0 || (problems.length > 0 && !values["skip-invalid"]);
    const imported = !refused && !values["dry-run"];
    const about = { corpus, licence: values.licence, imported_at: new Date().toISOString() };
    const head = imported ? writeImported(path, sentences, about) : undefined;
    if (context.json) {
      const counts = { rows, sentences: sentences.length, words, problems };
      writeJson(context.stdout, { imported, ...counts, ...(head !== undefined && { sha256: head.sha256 }) });
    } else report({ ...reading, words, imported }, context);
    return refused ? 1 : 0;
  },
});

async function read(file: string): Promise<NabraReading> {
  try {
    return readNabra(await readTable(file));
  } catch (cause) {
    if (cause instanceof TableError) throw new CommandError(`${file}: ${cause.message}`, { cause });
    if (cause instanceof Error && "code" in cause) throw new CommandError(`${file}: ${cause.message}`, { cause });
    throw cause;
  }
}

function remove(path: string, file: string | undefined, { json, stdout }: CommandContext): number {
  if (file !== undefined) throw new UsageError("--remove takes no file");
  const removed = importedHead(path) !== undefined;
  rmSync(path, { force: true });
  if (json) writeJson(stdout, { removed });
  else stdout.write(removed ? "Removed; the sentences that ship answer again\n" : "Nothing was imported\n");
  return 0;
}

function report(
  { rows, sentences, words, problems, imported }: NabraReading & { words: number; imported: boolean },
  { stdout, stderr }: CommandContext,
): void {
  for (const problem of problems.slice(0, MAX_LISTED_PROBLEMS)) stderr.write(`${lineOf(problem)}\n`);
  const more = problems.length - MAX_LISTED_PROBLEMS;
  if (more > 0) stderr.write(`and ${number.format(more)} more (--json lists all)\n`);
  const counts = `${number.format(sentences.length)} sentences of ${number.format(words)} words`;
  const wrong = problems.length === 0 ? "" : `, ${number.format(problems.length)} problems`;
  stdout.write(
    `${number.format(rows)} rows: ${counts} are right${wrong}. ${imported ? "Imported" : "Nothing was imported"}.\n`,
  );
}

function lineOf({ row, column, rule }: RowProblem): string {
  return column === "" ? `row ${row}: ${rule}` : `row ${row}, ${column}: ${rule}`;
}
