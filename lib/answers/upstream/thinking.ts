import { LlmError } from "../tasks.ts";

/**
 * Holds what a model writes beside its words: the beginning or end of its thinking, or a special token by its name.
 */
type Mark = { kind: "open" | "close" | "token"; name: string };

/** A stretch of what a model wrote. Of a mark `text` is how it was written. */
type Piece = { text: string; mark?: Mark };

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
type MarkReader = {
  /** Takes the next piece; gives what is certain by now. */
  push(text: string): Piece[];
  /** Gives what was held back. */
  end(): Piece[];
};

/** Makes a reader. A mark in quotation marks or backticks is spoken of, and is text. */
function createMarkReader(): MarkReader {
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

/** Special tokens after which a model has ended its turn. */
const ENDS: ReadonlySet<string> = new Set([
  ...["im_end", "eot_id", "eom_id", "endoftext", "end_of_text", "end_of_sentence", "end_of_turn", "end_of_turn_token"],
  ...["return", "call", "eos", "/s", "user"],
]);
/** Special tokens that a role follows, which a line feed or one of `HEADER_ENDS` ends. */
const TURNS: ReadonlySet<string> = new Set(["start", "im_start", "start_header_id", "start_of_turn"]);
const HEADER_ENDS: ReadonlySet<string> = new Set(["im_sep", "end_header_id", "message"]);
const ASSISTANT_ROLES: ReadonlySet<string> = new Set(["", "assistant", "model"]);
/** A role or a channel, in UTF-16 units. */
const MAX_HEADER = 100;

/** Harmony channels whose special tokens the server has left out. */
const BARE_ANALYSIS = /^analysis(?=\S)/;
const BARE_FINAL = "assistantfinal";

/** Takes a model's thinking and its special tokens out of a text that comes in pieces. */
export type ThinkingFilter = {
  /** Takes the next piece; gives what is certainly part of the answer. Throws {@link LlmError} `bad-answer`. */
  push(text: string): string;
  /** The server tells thinking from answer: what comes now is the answer. */
  partedByServer(): void;
  /** Gives what was held back. */
  end(): string;
  /** True when something was thinking so far. */
  readonly thought: boolean;
  /** True when it began within thinking, without an opening tag. */
  readonly beganThinking: boolean;
  /** True when the text stands within thinking, and has given no answer. */
  readonly unfinished: boolean;
};

/**
 * Makes a filter. Thinking is what stands between tags (`<think>`, `[THINK]` and the like) at the beginning of the text
 * or of a line, what comes before a closing tag without an opening one, and each harmony channel but `final`. Tags in
 * quotation marks, in code or within a line are spoken of and stay. Blanks before the answer are left out.
 *
 * `mayBeginThinking`: whether the text may begin within thinking, as where the server's prompt holds the opening tag.
 * Nothing is given then before it is certain, which may be at the end. Else such a closing tag is an error.
 */
export function createThinkingFilter({ mayBeginThinking }: { mayBeginThinking: boolean }): ThinkingFilter {
  const reader = createMarkReader();
  const lines = createLines();
  let mode: "text" | "thinking" | "channel" | "turn" | "over" = "text";
  /** Text that may turn out to be thinking; undefined once it cannot. */
  let held: string | undefined = "";
  let header = "";
  let isBlank = true;
  let isHarmony = false;
  let thought = false;
  let beganThinking = false;
  /** True when an opening tag was spoken of. */
  let mentions = false;

  const release = (): string => {
    const text = held ?? "";
    held = undefined;
    return text;
  };

  const take = (text: string): string => {
    const words = isBlank ? text.trimStart() : text;
    if (words === "") return "";
    isBlank = false;
    lines.push(words);
    if (held === undefined) return words;
    held += words;
    return mayBeginThinking ? "" : release();
  };

  /** Everything so far was thinking. */
  const discard = (): void => {
    if (thought && held === undefined) return;
    beganThinking = true;
    if (held === undefined) {
      throw new LlmError("bad-answer", "the upstream's thinking ended without having begun");
    }
    thought = true;
    held = undefined;
    isBlank = true;
    lines.reset();
  };

  const open = (text: string): string => {
    if (mode === "thinking") return "";
    if (lines.atStart && !lines.fenced) {
      thought = true;
      mode = "thinking";
      return "";
    }
    mentions = true;
    return take(text);
  };

  const close = (text: string): string => {
    if (mode === "thinking") {
      if (isHarmony) return "";
      mode = "text";
      if (isBlank) held = undefined;
      return "";
    }
    if (mentions || (held === undefined && lines.fenced)) return take(text);
    discard();
    return "";
  };

  /** The role or the channel is whole. */
  const begin = (): void => {
    const name = header.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
    if (mode === "turn") {
      mode = ASSISTANT_ROLES.has(name) ? "text" : "over";
      return;
    }
    if (name !== "final") {
      thought = true;
      mode = "thinking";
    } else if (isHarmony) {
      mode = "text";
      if (isBlank) held = undefined;
    } else {
      mode = "text";
      discard();
    }
    isHarmony = true;
  };

  const token = (name: string, text: string): string => {
    if (mode === "text" && lines.fenced) return take(text);
    if (name === "channel" || TURNS.has(name)) {
      mode = name === "channel" ? "channel" : "turn";
      header = "";
    } else if (mode === "channel" || mode === "turn") {
      if (HEADER_ENDS.has(name)) begin();
    } else if (mode === "text" && ENDS.has(name) && !isBlank) mode = "over";
    return "";
  };

  const words = (text: string): string => {
    if (mode === "text") return take(text);
    if (mode !== "channel" && mode !== "turn") return "";
    const end = mode === "turn" ? text.indexOf("\n") : -1;
    header = (header + (end < 0 ? text : text.slice(0, end))).slice(0, MAX_HEADER);
    if (end < 0) return "";
    begin();
    return words(text.slice(end + 1));
  };

  const follow = ({ text, mark }: Piece): string => {
    if (mode === "over") return "";
    if (mark === undefined || (mark.kind !== "token" && (mode === "channel" || mode === "turn"))) return words(text);
    if (mark.kind === "open") return open(text);
    return mark.kind === "close" ? close(text) : token(mark.name, text);
  };

  return {
    push: (text) => reader.push(text).map(follow).join(""),
    partedByServer() {
      thought = true;
      mayBeginThinking = false;
    },
    end() {
      const rest = reader.end().map(follow).join("");
      if (held === undefined) return rest;
      const text = release();
      const final = BARE_ANALYSIS.test(text) ? text.indexOf(BARE_FINAL) : -1;
      if (final < 0) return text;
      thought = true;
      beganThinking = true;
      return text.slice(final + BARE_FINAL.length).trimStart();
    },
    get thought() {
      return thought;
    },
    get beganThinking() {
      return beganThinking;
    },
    get unfinished() {
      return mode === "thinking" && isBlank;
    },
  };
}

/** Returns a text without the thinking and the special tokens of the model that wrote it. */
export function withoutThinking(text: string): string {
  const filter = createThinkingFilter({ mayBeginThinking: true });
  return filter.push(text) + filter.end();
}

const FENCE_LENGTH = 3;

/** Tells where a Markdown text that comes in pieces stands. */
function createLines() {
  /** The first characters of the line, without blanks. */
  let head = "";
  let fenced = false;
  return {
    get atStart() {
      return head === "";
    },
    /** Tells whether it stands in a block of code. */
    get fenced() {
      return fenced;
    },
    push(text: string): void {
      for (const [i, part] of text.split("\n").entries()) {
        if (i > 0) head = "";
        if (head.length >= FENCE_LENGTH) continue;
        head = (head + part).trimStart().slice(0, FENCE_LENGTH);
        if (head === "```" || head === "~~~") fenced = !fenced;
      }
    },
    reset(): void {
      head = "";
      fenced = false;
    },
  };
}
