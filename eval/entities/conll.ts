import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A sentence of a CoNLL file: its tokens with BIO tags, and the line (from 1) that each token stands in. */
export type ConllSentence = { tokens: string[]; tags: string[]; lines: number[] };

/** Names of types that mean the same in another set. */
const SAME: Readonly<Record<string, string>> = { PERS: "PER", PERSON: "PER", ORGANIZATION: "ORG", LOCATION: "LOC" };

/**
 * Reads CoNLL columns, plain or .gz: the token first, its tag last, separated by tabs or blanks; an empty line between
 * sentences. Tags may be IO, BIO or begin with `I-`: a span then begins where the type changes. Language prefixes
 * (`en:`) and invisible marks before tokens are taken off.
 */
export function readConll(path: string): ConllSentence[] {
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  return parseConll(text);
}

/** {@link readConll} of a text. */
export function parseConll(text: string): ConllSentence[] {
  const lines = text.split(/\r?\n/);
  const prefixed =
    lines.some((line) => /^[a-z]{2}:\S/.test(line)) && lines.every((line) => /^(?:[a-z]{2}:|\s*$)/.test(line));
  const sentences: ConllSentence[] = [];
  let open: ConllSentence | undefined;
  lines.forEach((line, i) => {
    const [token, tag] = columns(line);
    if (token === "" || token === "-DOCSTART-" || tag === undefined) {
      open = undefined;
      return;
    }
    if (open === undefined) {
      open = { tokens: [], tags: [], lines: [] };
      sentences.push(open);
    }
    open.tokens.push(prefixed ? token.slice(3) : token);
    open.tags.push(tagAfter(open.tags.at(-1) ?? "O", tag));
    open.lines.push(i + 1);
  });
  return sentences;
}

function columns(line: string): [string, string | undefined] {
  const bare = line.replace(/[\u200e\ufeff]/g, "");
  const cells = bare.includes("\t") ? bare.split("\t") : bare.trim().split(/\s+/);
  const token = cells[0]?.trim() ?? "";
  return [token, cells.length > 1 ? cells.at(-1)?.trim() : undefined];
}

function tagAfter(before: string, tag: string): string {
  if (!/^[BI]-./.test(tag)) return "O";
  const type = tag.slice(2);
  const same = SAME[type] ?? type;
  return tag.startsWith("I-") && before.slice(2) === same ? `I-${same}` : `B-${same}`;
}
