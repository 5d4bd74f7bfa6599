/** What a model writes beside its words: the beginning or end of its thinking, or a special token by its name. */
export type Mark = { kind: "open" | "close" | "token"; name: string };

/** A stretch of what a model wrote. Of a mark `text` is how it was written. */
export type Piece = { text: string; mark?: Mark };

const THOUGHT = "(?:think|thinking|thought|thoughts|reasoning|seed:think|scratchpad)";

/** Each form of a mark, and what it means by the name that it holds. */
const FORMS: readonly [RegExp, (name: string) => Mark][] = [
  [new RegExp(`<${THOUGHT}(?:\\s[^<>]{0,30})?>`, "iy"), () => ({ kind: "open", name: "" })],
  [new RegExp(`<(?:/\\s{0,3}${THOUGHT}\\s{0,3}|${THOUGHT}\\s{0,3}/)>`, "iy"), () => ({ kind: "close", name: "" })],
  [/\[THINK\]|◁think▷|<\|channel>/y, () => ({ kind: "open", name: "" })],
  [/\[\/THINK\]|◁\/think▷|<channel\|>/y, () => ({ kind: "close", name: "" })],
  [/<[|｜]([\p{L}\p{N}_▁ /:.-]{1,40})[|｜]>/uy, ofToken],
  [/<((?:start|end)_of_turn|[be]os|unk|pad)>/y, ofToken],
  [/<(\/s)>/y, ofToken],
];

/** Longer than any mark, in UTF-16 units. */
const MAX_MARK = 64;
const FIRST = /[<[◁]/;
const BEGINNING = /^(?:<[/|｜a-z]|\[[/T]|◁[/t])/i;
const LAST = /[>\]▷\n]/;

/** Special tokens that stand for tags, in lower case. */
const OPENS: ReadonlySet<string> = new Set(["start_thinking", "begin_of_thought", "think"]);
const CLOSES: ReadonlySet<string> = new Set(["end_thinking", "end_of_thought", "/think"]);

function ofToken(written: string): Mark {
  const name = written.toLowerCase().replaceAll("▁", "_");
  if (OPENS.has(name)) return { kind: "open", name };
  return { kind: CLOSES.has(name) ? "close" : "token", name };
}

/** Parts words and marks in a text that comes in pieces, wherever it is cut. */
export type MarkReader = {
  /** Takes the next piece; gives what is certain by now. */
  push(text: string): Piece[];
  /** Gives what was held back. */
  end(): Piece[];
};

/** Makes a reader. A mark in quotation marks or backticks is spoken of, and is text. */
export function createMarkReader(): MarkReader {
  let rest = "";
  /** The character before `rest`. */
  let before = "";

  const read = (isEnd: boolean): Piece[] => {
    const pieces: Piece[] = [];
    const give = (length: number, mark?: Mark): void => {
      const text = rest.slice(0, length);
      if (text === "") return;
      pieces.push({ text, ...(mark !== undefined && { mark }) });
      before = text.at(-1) ?? before;
      rest = rest.slice(length);
    };
    for (;;) {
      const from = rest.search(FIRST);
      if (from < 0) {
        give(rest.length);
        return pieces;
      }
      give(from);
      const found = markAt(rest);
      if (found === undefined) {
        // Waits for the end of what may be a mark.
        if (!isEnd && rest.length < MAX_MARK && !LAST.test(rest) && !FIRST.test(rest.slice(1))) return pieces;
        give(1);
        continue;
      }
      if (!isEnd && rest.length === found.length) return pieces;
      const isQuoted = /["'`“«‘]/.test(before) && /["'`”»’]/.test(rest.charAt(found.length));
      give(found.length, isQuoted ? undefined : found.mark);
    }
  };

  return {
    push(text) {
      rest += text;
      return read(false);
    },
    end: () => read(true),
  };
}

function markAt(text: string): { length: number; mark: Mark } | undefined {
  if (!BEGINNING.test(text)) return undefined;
  for (const [form, meaning] of FORMS) {
    form.lastIndex = 0;
    const match = form.exec(text);
    if (match !== null) return { length: match[0].length, mark: meaning(match[1] ?? "") };
  }
  return undefined;
}
