import { describe, expect, test } from "bun:test";
import { LlmError } from "../tasks.ts";
import { createThinkingFilter, withoutThinking } from "./thinking.ts";

/** What a filter gives of a text that comes in these pieces. */
function filtered(pieces: readonly string[], mayBeginThinking = true): string {
  const filter = createThinkingFilter({ mayBeginThinking });
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
}

const HARMONY = "<|channel|>analysis<|message|>We need <think> it.<|end|>";
const FINAL = "<|start|>assistant<|channel|>final<|message|>";

const THINKING: readonly [what: string, text: string, answer: string][] = [
  ["tags", "<think>\nFirst, <b>hm</b>.\n</think>\n\nThe answer.", "The answer."],
  ["an empty block", "<think>\n\n</think>\n\nThe answer.", "The answer."],
  ["a tag that closes itself", "<think/>\nThe answer.", "The answer."],
  ["blanks before the tags", "\n <think>a</think> b", "b"],
  ["other names", "<thinking>a</thinking>b", "b"],
  ["capitals and attributes", '<Think effort="low">a</THINK>b', "b"],
  ["square brackets", "[THINK]a [1] b[/THINK]c", "c"],
  ["Kimi's signs", "◁think▷a◁/think▷b", "b"],
  ["Cohere's tokens", "<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>", "b"],
  ["Gemma's channel", "<|channel>thought\na<channel|>b", "b"],
  ["no opening tag", "First, hm.\n</think>\n\nThe answer.", "The answer."],
  ["no opening tag, and code", "Use ```x\n``` and `y`.\n</think>\nThe answer.", "The answer."],
  ["several blocks", "<think>a</think>\nOne.\n<think>b</think>\nTwo.", "One.\n\nTwo."],
  ["two closing tags", "<think>a</think>\n</think>\nb", "b"],
  ["no closing tag", "<think>a b c", ""],
  ["a cut closing tag", "<think>a</thin", ""],
  ["the tag alone", "<think>", ""],
  ["harmony", `${HARMONY}${FINAL}The answer.<|return|>`, "The answer."],
  ["harmony that begins within a channel", `We need it.<|end|>${FINAL}The answer.`, "The answer."],
  ["harmony with a form", `${HARMONY}<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}`, "{}"],
  ["harmony of a tool", `${HARMONY}<|start|>assistant<|channel|>commentary to=x<|message|>{}<|call|>`, ""],
  ["harmony without its tokens", "analysisWe need it.assistantfinalThe answer.", "The answer."],
];

const TOKENS: readonly [what: string, text: string, answer: string][] = [
  ["the end of a turn", "The answer.<|im_end|>", "The answer."],
  ["a turn of somebody else", "The answer.<|im_end|>\n<|im_start|>user\nMore?", "The answer."],
  ["the beginning of a turn", "<|im_start|>assistant\nThe answer.<|eot_id|>", "The answer."],
  ["Llama's header", "<|start_header_id|>assistant<|end_header_id|>\n\nThe answer.", "The answer."],
  ["Gemma's turn", "<start_of_turn>model\nThe answer.<end_of_turn>\n", "The answer."],
  ["DeepSeek's bars", "The answer.<｜end▁of▁sentence｜>", "The answer."],
  ["a sentence's end", "The answer.</s>", "The answer."],
];

const TEXTS: readonly [what: string, text: string][] = [
  ["a tag in code", "Write `<think>` first and `</think>` last."],
  ["a tag in quotation marks", 'Models write "</think>" after «<think>».'],
  ["tags within a line", "Put it between <think> and </think>, then answer."],
  ["tags in a block of code", "So:\n```xml\n<think>\na\n</think>\n<|im_end|>\n```\nDone."],
  ["other tags", "Use <b>bold</b>, a < b, [1] and <https://a.test>."],
  ["tags of names alike", "<thinker>a</thinker> <think-tank>"],
  ["a bracket at the end", "a <"],
  ["an analysis", "analysis shows that the assistantfinal is no word"],
  ["words in Arabic", "الجواب [1] كما قال: «نعم»."],
];

describe("of a text with", () => {
  test.each([...THINKING, ...TOKENS])("%s only the answer is left, wherever it is cut", (_, text, answer) => {
    expect(withoutThinking(text)).toBe(answer);
    for (let at = 0; at <= text.length; at++) {
      expect([at, filtered([text.slice(0, at), text.slice(at)])]).toEqual([at, answer]);
    }
    expect(filtered([...text])).toBe(answer);
  });

  test.each(TEXTS)("%s nothing is taken, wherever it is cut", (_, text) => {
    for (const mayBegin of [true, false]) {
      for (let at = 0; at <= text.length; at++) {
        expect(filtered([text.slice(0, at), text.slice(at)], mayBegin)).toBe(text);
      }
      expect(filtered([...text], mayBegin)).toBe(text);
    }
  });
});

test("what a server tells apart, or tags part, comes at once", () => {
  const told = createThinkingFilter({ mayBeginThinking: true });
  told.partedByServer();
  expect(told.push("a")).toBe("a");
  const tagged = createThinkingFilter({ mayBeginThinking: true });
  expect([tagged.push("<think>a</think> "), tagged.push("b")]).toEqual(["", "b"]);
  expect([tagged.thought, tagged.beganThinking, tagged.unfinished]).toEqual([true, false, false]);
});

test("a text that may not begin within thinking comes at once, and the end of such thinking is an error", () => {
  const filter = createThinkingFilter({ mayBeginThinking: false });
  expect(filter.push("First, hm.")).toBe("First, hm.");
  expect(() => filter.push("</think>a")).toThrow(LlmError);
  expect(filter.beganThinking).toBe(true);
});

test("thinking without end is unfinished", () => {
  const filter = createThinkingFilter({ mayBeginThinking: true });
  filter.push("<think>hm");
  expect(filter.unfinished).toBe(true);
});

test("long texts of what may begin a mark, of blanks and of fences are read in one pass", () => {
  for (const unit of ["<", "[", "<think", "\t", "`", "\n", "<|a", "</think"]) {
    const text = unit.repeat(50_000);
    expect(filtered([`a${text}`]).length).toBe(text.length + 1);
    expect(filtered(["a", ...(text.match(/[\s\S]{1,7}/g) ?? [])]).length).toBe(text.length + 1);
  }
});
