import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { readPairTemplate } from "./pair-template.ts";

type Joined = { name: string; processor: object | null; ids: number[]; types: number[] };

const fixture = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures", name), "utf8"));
const { tokenizer: json } = fixture("wordpiece.json");
const { joined }: { joined: Joined[] } = fixture("cross-encoder.json");
const using = (processor: object | null) => new Tokenizer({ ...json, post_processor: processor }, {});

for (const { name, processor, ids, types } of joined) {
  test(`${name}: two texts are joined as by the reference`, () => {
    const tokenizer = using(processor);
    const [first = [], second = []] = ["the bank", "rates"].map(
      (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    );
    const template = readPairTemplate(tokenizer);
    expect(template.join(first, second)).toEqual({ ids, types });
    expect(template.specials).toBe(ids.length - first.length - second.length);
  });
}

test("an empty text leaves its special tokens", () => {
  const { ids, types } = readPairTemplate(using(json.post_processor)).join([5], []);
  expect({ ids, types }).toEqual({ ids: [2, 5, 3, 3], types: [0, 0, 0, 1] });
});

test("a post-processor that drops a text, or puts an unknown token around, is refused", () => {
  const template = (...pair: object[]) => ({ type: "TemplateProcessing", single: [], pair, special_tokens: {} });
  const text = (id: string) => ({ Sequence: { id, type_id: 0 } });
  expect(() => readPairTemplate(using(template(text("A"))))).toThrow("cannot join two texts");
  const unknown = { SpecialToken: { id: "[WHO]", type_id: 0 } };
  expect(() => readPairTemplate(using(template(text("A"), unknown, text("B"))))).toThrow("[WHO]");
});
