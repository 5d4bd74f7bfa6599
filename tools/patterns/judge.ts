import { check } from "recheck";

/** Processor time in milliseconds after which a text of {@link MAX_UNITS} units counts as one that takes its square. */
const SLOW_MS = 100;
const MAX_UNITS = 20_000;

/**
 * How long the analysis of one pattern may take, in milliseconds: by the clock, so that it has room on a busy machine.
 */
const TIMEOUT_MS = 10_000;

/** What a repeated part of a text may be, beside what the pattern itself has. */
const PIECES = [
  " ",
  "\t",
  "\n",
  "a",
  "A",
  "0",
  ".",
  "/",
  "<",
  '"',
  "(",
  "\\",
  "-",
  "ا",
  "\u064b",
  "؟",
  "😀",
  "a ",
  "a.",
  '"\\',
];

/**
 * Returns a text that the pattern takes more than linear time for, in the words of the analyser; undefined where it
 * finds none. The analysis is recheck's (Davis et al. 2018 call the kind a super-linear regex); of what takes it too
 * long, texts made of the pattern's own parts are measured instead.
 */
export async function attackOn(literal: string): Promise<string | undefined> {
  if (!repeats(literal)) return undefined;
  const end = literal.lastIndexOf("/");
  const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const verdict = await check(source, flags, { timeout: TIMEOUT_MS });
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ""));
  if (verdict.status === "vulnerable" && isSlow(pattern, verdict.attack.string)) return verdict.attack.pattern;
  return verdict.status === "safe" ? undefined : measured(pattern);
}

/** Whether a pattern repeats anything without a bound, or with a large one. */
function repeats(literal: string): boolean {
  const bare = literal.replace(/\\[pPkux]\{[^}]*\}|\\./g, "a").replace(/\[[^\]]*\]/g, "a");
  return /[*+]|\{\d+,\}|\{(?:\d*,)?\d\d+\}/.test(bare);
}

/** Whether the engine that runs the platform takes too long for a text. */
function isSlow(pattern: RegExp, text: string): boolean {
  const start = process.cpuUsage();
  pattern.test(text);
  return process.cpuUsage(start).user > SLOW_MS * 1000;
}

/** The first of some texts that takes too long. */
function measured(pattern: RegExp): string | undefined {
  const parts = pattern.source.replace(/\\./g, " ").match(/[\p{L}\p{N} ]+|[^\p{L}\p{N} ]/gu) ?? [];
  for (const piece of new Set([...PIECES, ...parts])) {
    for (const before of ["", ...parts.slice(0, 8)]) {
      for (const length of [100, 2_000, MAX_UNITS]) {
        const text = `${before}${piece.repeat(Math.ceil(length / piece.length))}\u0000`;
        if (isSlow(pattern, text)) return `${JSON.stringify(before)} + ${JSON.stringify(piece)}.repeat(${length})`;
      }
    }
  }
  return undefined;
}
