import { unitToCodePoint } from "../../../text/code-points.ts";
import { sentenceUnits } from "../../../text/sentences.ts";
import { expressionFinder } from "./expressions.ts";
import { foldToken } from "./fold-token.ts";
import { type NestedEntity, nestedEntities } from "./nested-entities.ts";
import type { NestedSpan } from "./nested-spans.ts";
import type { TagModel } from "./tag-model.ts";
import { type TextToken, tokenise } from "./tokenise.ts";
import { withExpressions } from "./with-expressions.ts";

/** UTF-16 units of a word that the rules read. */
const READ = 64;

/** The words and marks of a text, and its entities; offsets in code points of the text as given, end exclusive. */
export type NestedText = { tokens: TextToken[]; entities: NestedEntity[] };

/** Reads a text sentence by sentence, each in the light of those beside it. */
export async function nestedText(
  model: Pick<TagModel, "nested" | "rank">,
  text: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<NestedText> {
  const sentences = wholeSentences(text);
  const nestedSpans = await model.nested(
    sentences.map((tokens) => tokens.map((token) => token.text)),
    { ...(signal !== undefined && { signal }) },
  );
  const spans = sentences.map((tokens, i) => withAmounts(nestedSpans[i] ?? [], tokens));
  const toCodePoint = unitToCodePoint(text);
  return {
    tokens: sentences
      .flat()
      .map((token) => ({ text: token.text, start: toCodePoint(token.start), end: toCodePoint(token.end) })),
    entities: nestedEntities(
      text,
      sentences.map((tokens, i) => ({ tokens, spans: spans[i] ?? [] })),
      model.rank,
    ),
  };
}

/** The sentences of a text as tokens; marks between two of them belong to the one before. */
function wholeSentences(text: string): TextToken[][] {
  const starts = sentenceUnits(text).map(({ start }) => start);
  const out: TextToken[][] = [];
  for (let i = 0; i < Math.max(1, starts.length); i++) {
    const tokens = tokenise(text, i === 0 ? 0 : starts[i], starts[i + 1] ?? text.length);
    if (tokens.length > 0) out.push(tokens);
  }
  return out;
}

/** The entities of a sentence with those that rules find. */
export function withAmounts(spans: readonly NestedSpan[], tokens: readonly TextToken[]): NestedSpan[] {
  const words = tokens.map((token) => foldToken(token.text.slice(0, READ)));
  return withExpressions(spans, words, expressionFinder());
}
