import { afterAll, expect, test } from "bun:test";
import { openRegistry } from "../../cards/registry.ts";
import { createMachineTranslator, cutText, joinText, MAX_PIECE_UNITS } from "./machine-translator.ts";
import { TRANSLATED, translationFolder } from "./testing.ts";

const folder = translationFolder();
const translator = await createMachineTranslator({
  registry: openRegistry({ dirs: [folder.root] }),
  model: "tiny",
  threads: 1,
});
afterAll(async () => {
  await translator.close();
  folder.remove();
});

const expected = (text: string) => TRANSLATED.find((each) => each.text === text && each.beams === 4)?.translation;

test("a text is translated sentence by sentence, and calls at the same time do not mix", async () => {
  const [ship, salt] = ["the old ship", "wind in the port of salt"];
  const [one, two] = await Promise.all([translator.translate(`${ship}\n\n${salt}`), translator.translate(salt)]);
  expect(one).toBe(`${expected(ship)}\n\n${expected(salt)}`);
  expect(two).toBe(expected(salt) ?? "");
  expect(translator).toMatchObject({ modelId: "tiny@1", from: "en", to: "ar" });
});

test("a text of more sentences than may wait is translated all the same", async () => {
  const small = await createMachineTranslator({
    registry: openRegistry({ dirs: [folder.root] }),
    model: "tiny",
    threads: 1,
    beams: 1,
    maxQueue: 70,
  });
  const one = TRANSLATED.find(({ text, beams }) => text === "the old ship" && beams === 1)?.translation;
  const text = await small.translate(Array<string>(150).fill("the old ship").join("\n"));
  expect(text).toBe(Array(150).fill(one).join("\n"));
  await small.close();
});

test("a caller that leaves is told so at once", async () => {
  const gone = new AbortController();
  const call = translator.translate("the old ship\n".repeat(500), gone.signal);
  gone.abort(new Error("gone"));
  expect(call).rejects.toThrow("gone");
  await call.catch(() => {});
});

test("sentences are pieces, and what stands between them is kept", () => {
  const text = "  One came. Two left!\n\n- الثالث وصل؟ نعم.\n***\n";
  const cut = cutText(text);
  expect(cut.pieces).toEqual(["One came.", "Two left!", "- الثالث وصل؟", "نعم."]);
  expect(joinText(cut, cut.pieces)).toBe(text);
  expect(joinText(cut, ["a", "b", "c", "d"])).toBe("  a b\n\nc d\n***\n");
});

test("a sentence that is too long is cut at a pause, else at a blank, else within, but in no character", () => {
  const paused = `${"word ".repeat(60)}end, ${"more ".repeat(60)}`;
  expect(cutText(paused).pieces[0]).toEndWith("end,");
  for (const text of [paused, "word ".repeat(400), "x".repeat(1_000), "😀".repeat(700)]) {
    const cut = cutText(text);
    expect(Math.max(...cut.pieces.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_PIECE_UNITS);
    expect(joinText(cut, cut.pieces)).toBe(text);
    expect(cut.pieces.every((piece) => piece.isWellFormed())).toBe(true);
  }
});

test("a text without a letter has no piece", () => {
  expect(cutText(" … \n")).toEqual({ pieces: [], between: [" … \n"] });
});
