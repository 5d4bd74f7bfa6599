import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { openAnalysers } from "./analysis.ts";

setDefaultTimeout(300_000);

const analysers = openAnalysers();
afterAll(() => analysers.close());

const LONGEST = 20_000;
const DENSE = "قُتل رجل وأصيب آخران في هجوم على مدينة حلب واعتقلت الشرطة مهاجما ".repeat(400).slice(0, LONGEST);

/** Every call that takes a text, with the longest and densest one. */
const CALLS = {
  morph: (signal: AbortSignal) => analysers.call("morph", { text: DENSE, all: true }, { signal }),
  relations: (signal: AbortSignal) => analysers.call("relations", { text: DENSE, entities: [] }, { signal }),
  glossary: (signal: AbortSignal) =>
    analysers.call("glossary", { text: distinct(), topK: 50, threshold: 0 }, { signal }),
};

/** A text of words of which no two are the same. */
function distinct(): string {
  const letters = [..."بتثجحخدرسشصضطعغفقكلمن"];
  const word = (i: number) =>
    [i, i / 21, i / 441].map((place) => letters[Math.floor(place) % letters.length] ?? "").join("");
  return Array.from({ length: 5_000 }, (_, i) => `م${word(i)}`)
    .join(" ")
    .slice(0, LONGEST);
}

test.each(Object.entries(CALLS))("%s of a short text is answered before that of a dense one is", async (_, call) => {
  await analysers.call("morph", { text: "كتب", all: false });
  const gone = new AbortController();
  const long = call(gone.signal);
  const first = await Promise.race([
    long.then(() => "long"),
    analysers.call("morph", { text: "وصل الوزير.", all: false }).then(() => "short"),
  ]);
  gone.abort();
  await long.catch(() => undefined);
  expect(first).toBe("short");
});

test.each(Object.entries(CALLS))("%s that nobody waits for any more ends, and the thread goes on", async (_, call) => {
  const gone = new AbortController();
  const long = call(gone.signal);
  gone.abort(new Error("gone"));
  await expect(long).rejects.toThrow("gone");
  const [token] = await analysers.call("morph", { text: "كتبت", all: false });
  expect(token?.lemma).toBe("كَتَب");
  expect(analysers.state()).toMatchObject({ alive: 1, restarts: 0 });
});
