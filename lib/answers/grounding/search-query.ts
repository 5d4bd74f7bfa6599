import { trimEnd } from "../../std/mod.ts";
import { codePointLength, codePointSlice, forEachWord, normalForm, queryWords } from "../../text/mod.ts";
import type { ChatMessage } from "../chat-model.ts";

/** Code points that a search takes; of a longer message no more are read. */
const MAX_QUERY_CHARS = 2000;

const forms = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(normalForm));

/** A question that begins so goes on with the one before it. */
const GOES_ON = forms(`
and or but then also so
وفي وماذا وهل وكم ومتى وأين ومن وكيف ولماذا وما وعن وبعد وقبل وأي وبكم وإلى وهو وهي وهم ثم طيب أما وأما
`);
/** The same in two words. */
const GOES_ON_IN_TWO = /^(?:(?:what|how) about|ماذا عن)(?=\s|$)/;
/** Words that stand for something named before. */
const STANDS_FOR = forms(`
he she it they him her his hers its their theirs them there this these those one same
هو هي هم هن هما هذا هذه ذلك تلك هؤلاء هناك هنالك نفس نفسه نفسها فيه فيها فيهم عنه عنها عنهم منه منها منهم له لها لهم به بها بهم معه معها معهم عليه عليها إليه إليها لديه لديها بعده بعدها قبله قبلها
`);
/** A question with one of them and no more telling words than these speaks of what was asked before. */
const FEW = 2;
const YEAR = /(?<![\p{L}\p{N}])(?:1[89]|20|١[٨٩]|٢٠)(?:\d|[٠-٩]){2}(?![\p{L}\p{N}])/gu;

/**
 * What to search for, for the last user message of a conversation: its text, and where that goes on with the question
 * before it ("and in 2019?", "how old is she?"), that question too, as far back as they hang together. A year that is
 * asked for takes the place of years asked for before. At most 2,000 characters, the last of them.
 */
export function searchQuery(conversation: readonly ChatMessage[]): string {
  const asked = conversation.filter(({ role, content }) => role === "user" && content.trim() !== "");
  const query = asked.reduce((context, { content }) => {
    const text = content.replace(/\s+/g, " ").trim();
    return lastOf(context !== "" && goesOn(text) ? joined(context, text) : text);
  }, "");
  return query.trim();
}

/** The end of a text, as long as a search may be. */
function lastOf(text: string): string {
  return text.length <= MAX_QUERY_CHARS
    ? text
    : codePointSlice(text, Math.max(0, codePointLength(text) - MAX_QUERY_CHARS));
}

/** Whether a message goes on with the one before it. One too long for a search is judged by its beginning. */
function goesOn(message: string): boolean {
  const text = message.slice(0, MAX_QUERY_CHARS);
  const words = wordsOf(text);
  const [first = ""] = words;
  if (GOES_ON.has(first) || GOES_ON_IN_TWO.test(text.toLowerCase())) return true;
  const telling = queryWords(text).filter(({ terms }) => !terms.stop).length;
  return telling <= 1 || (telling <= FEW && words.some((word) => STANDS_FOR.has(word)));
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => {
    words.push(normalForm(text.slice(start, end)));
  });
  return words;
}

function joined(context: string, text: string): string {
  const kept = text.search(YEAR) < 0 ? context : context.replace(YEAR, "").replace(/\s+/g, " ");
  return `${trimEnd(kept, /[\s?؟.!]/)} ${text}`;
}
