import { rmSync } from "node:fs";
import { type CommandContext, CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { loadConfig } from "@isnad/lib/service/config";
import { importedHead, importedPath, writeImported } from "../../lib/arabic/dialect/corpus.ts";
import { type NabraReading, type RowProblem, readNabra } from "./nabra.ts";
import { readTable } from "../table/read-table.ts";
import { TableError } from "../table/table.ts";

const number = new Intl.NumberFormat("en-US");

/** Problems that are written out, without `--json`, at most. */
const MOST_SHOWN = 100;

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
  for (const problem of problems.slice(0, MOST_SHOWN)) stderr.write(`${lineOf(problem)}\n`);
  const more = problems.length - MOST_SHOWN;
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
