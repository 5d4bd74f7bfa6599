import { describe, expect, test } from "bun:test";
import { processorMs } from "@isnad/lib/std/testing";
import { parseHTML } from "linkedom";
import { MarkedText } from "./marked-text.tsx";

type Props = Parameters<typeof MarkedText>[0];

const textOf = (props: Partial<Props> & { text: string }) => {
  const marks = { entities: [], claims: [] };
  return String(MarkedText({ lang: "en", claimWord: "claim", marks, ...props }));
};
const documentOf = (props: Parameters<typeof textOf>[0]) => parseHTML(`<main>${textOf(props)}</main>`).document;

describe("a text with its marks", () => {
  test("marks names, claims and quotations that lie in each other, by code points", () => {
    const text = "𝔸 He said “Omar came home” to Omar. Then he left.";
    const document = documentOf({
      text,
      marks: {
        entities: [
          {
            name: "Omar",
            href: "/search?entity=1",
            offsets: [
              { start: 11, end: 15 },
              { start: 30, end: 34 },
            ],
          },
        ],
        claims: [{ id: 7, href: "/claims/7", offsets: { start: 2, end: 35 } }],
      },
    });
    const of = (selector: string) =>
      Array.from(document.querySelectorAll(selector), (each: { textContent: unknown }) => String(each.textContent));
    expect(of(".m-entity")).toEqual(["Omar", "Omar"]);
    expect(of(".m-quote").join("")).toBe("“Omar came home”");
    expect(of(".m-claim").join("")).toBe("He said “Omar came home” to Omar.");
    expect(of(".claim-link")).toEqual(["claim"]);
    expect(document.querySelector("main")?.textContent).toBe(text.replace("Omar. Then", "Omar.claim Then"));
  });

  test("loses no word, whatever overlaps", () => {
    const text = "one two three four five six seven eight nine ten";
    const span = (start: number, end: number) => ({ name: "x", href: "/x", offsets: [{ start, end }] });
    const document = documentOf({
      text,
      marks: { entities: [span(0, 9), span(4, 13), span(40, 400), span(13, 13)], claims: [] },
    });
    expect(document.querySelector("main")?.textContent).toBe(text);
  });

  test("takes straight marks for a quotation where they stand at words, and lost ones for nothing", () => {
    const quotes = (text: string) =>
      Array.from(documentOf({ text }).querySelectorAll(".m-quote"), (each: { textContent: unknown }) =>
        String(each.textContent),
      );
    expect(quotes('He called it "a success" and left.')).toEqual(['"a success"']);
    expect(quotes('It is 5" wide and that is all.')).toEqual([]);
    expect(quotes("قال «نعم» ثم مضى")).toEqual(["«نعم»"]);
  });

  test("parts a long text into paragraphs at the ends of sentences", () => {
    const text = "The harbour was quiet again by nightfall and nobody knew why. ".repeat(40).trim();
    const paragraphs = Array.from(documentOf({ text }).querySelectorAll("p"), (each: { textContent: unknown }) =>
      String(each.textContent),
    );
    expect(paragraphs.length).toBeGreaterThan(3);
    for (const each of paragraphs) expect(each.trim()).toMatch(/\.$/);
    expect(paragraphs.join("")).toBe(text);
  });

  test("is made in a tenth of a second of processor time for 20,000 characters full of marks", async () => {
    const text = "قال وزير المالية عمر الزياني إن «الحكومة اختارت» حماية الرواتب. ".repeat(320).slice(0, 20_000);
    const offsets = Array.from({ length: 1_000 }, (_, i) => ({ start: i * 20, end: i * 20 + 6 }));
    const claims = Array.from({ length: 64 }, (_, i) => ({
      ...{ id: i, href: "/claims/1", offsets: { start: i * 300, end: i * 300 + 60 } },
    }));
    const marks = { entities: [{ name: "x", href: "/x", offsets }], claims };
    textOf({ text, lang: "ar", marks });
    expect(await processorMs(() => textOf({ text, lang: "ar", marks }))).toBeLessThan(100);
  });
});
