import { expect, test } from "bun:test";
import { textDifference } from "./difference.ts";

const said = (...sentences: string[]) => sentences.join(" ");
const [a, b, c, d] = ["The bridge is closed.", "Nine people were hurt.", "The mayor spoke.", "It rains."];

test("a sentence that changed comes as removed and added, in the order of reading", async () => {
  expect(await textDifference(said(a, b, c), said(a, "Twelve people were hurt.", c, d))).toEqual({
    sentences: [
      { change: "removed", text: b },
      { change: "added", text: "Twelve people were hurt." },
      { change: "added", text: d },
    ],
    unchanged: 2,
  });
});

test("a sentence that moved is removed in one place and added in the other, and the rest is unchanged", async () => {
  expect(await textDifference(said(a, b, c, d), said(b, c, d, a))).toEqual({
    sentences: [
      { change: "removed", text: a },
      { change: "added", text: a },
    ],
    unchanged: 3,
  });
});

test("Arabic sentences count as the same when only what folds away differs", async () => {
  const before = "أُغلق الجسر القديم. قال المحافظ إن الأعمال تستمر شهراً؟";
  const after = "أُغلق الجسر القديـــم. قال المحافظ إن الأعمال تستمر شهرين؟";
  expect(await textDifference(before, after)).toEqual({
    sentences: [
      { change: "removed", text: "قال المحافظ إن الأعمال تستمر شهراً؟" },
      { change: "added", text: "قال المحافظ إن الأعمال تستمر شهرين؟" },
    ],
    unchanged: 1,
  });
});

test("of sentences that repeat none is lost", async () => {
  const { sentences, unchanged } = await textDifference(said(a, a, b, a), said(a, b, a, a, c));
  const counts = { removed: 0, added: 0 };
  for (const { change } of sentences) counts[change]++;
  expect([unchanged + counts.removed, unchanged + counts.added]).toEqual([4, 5]);
});

test("the texts can be put together again from the difference and what is unchanged", async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const text = () => Array.from({ length: random(12) }, () => `S${random(8)} is said.`);
    const [before, after] = [text(), text()];
    const { sentences, unchanged } = await textDifference(said(...before), said(...after));
    const of = (change: string) => sentences.flatMap((one) => (one.change === change ? [one.text] : []));
    const without = (all: readonly string[], gone: readonly string[]) => {
      const rest = [...all];
      for (const text of gone) rest.splice(rest.indexOf(text), rest.includes(text) ? 1 : 0);
      return rest.toSorted();
    };
    expect(without(before, of("removed"))).toEqual(without(after, of("added")));
    expect(without(before, of("removed")).length).toBe(unchanged);
  }
});

test("empty texts, and equal ones, have no difference", async () => {
  expect(await textDifference("", "")).toEqual({ sentences: [], unchanged: 0 });
  expect(await textDifference(said(a, b), said(a, b))).toEqual({ sentences: [], unchanged: 2 });
});

test("the event loop gets its turns while two long texts are compared", async () => {
  const text = (word: string) => Array.from({ length: 300 }, (_, n) => `${word} ${n} is said.`).join(" ");
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const { sentences } = await textDifference(text("One"), text("Two"), { sliceMs: -1 });
  running = false;
  expect(sentences).toHaveLength(600);
  expect(turns).toBeGreaterThan(300);
});
