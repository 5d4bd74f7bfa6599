import type { ChatPart } from "../chat-model.ts";
import type { RankedSentence } from "./rank-sentences.ts";

/**
 * An answer of quoted sentences, each with its citation, at most `maxWords` words of it; `read` is how many words it
 * was made of. Citations are left out where `cite` is false.
 */
export function* quote(
  chosen: readonly RankedSentence[],
  { nothing, maxWords, read, cite }: { nothing: string; maxWords: number; read: number; cite: boolean },
): Generator<ChatPart> {
  const pieces = chosen.map(({ text, source }) => ({ text, citation: cite ? ` [${source.n}]` : "" }));
  if (pieces.length === 0) pieces.push({ text: nothing, citation: "" });
  let words = 0;
  for (const [i, { text, citation }] of pieces.entries()) {
    const all = wordsOf(text);
    const shown = all.slice(0, maxWords - words);
    words += shown.length;
    if (shown.length > 0) {
      const whole = shown.length === all.length;
      yield { kind: "text", text: `${i > 0 ? "\n\n" : ""}${whole ? text : `${shown.join(" ")}…`}${citation}` };
    }
    if (words >= maxWords && (shown.length < all.length || i < pieces.length - 1)) {
      yield { kind: "end", finishReason: "length", usage: usage(read, words) };
      return;
    }
  }
  yield { kind: "end", finishReason: "stop", usage: usage(read, words) };
}

/** The words of a text, parted by white space. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function usage(read: number, written: number) {
  return { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
}
