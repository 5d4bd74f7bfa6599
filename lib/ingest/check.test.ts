import { afterAll, describe, expect, test } from "bun:test";
import type { RelationsPackage } from "../contract/mod.ts";
import { processorMs } from "../std/testing-processor.ts";
import { createCheckThread } from "./admit.ts";
import { checkItem, checkItems, relationsReport } from "./check.ts";

const thread = createCheckThread();
afterAll(() => thread.close());

const entry = (n: number, content: string) => ({
  source_id: "s",
  external_id: `e-${n}`,
  url: "https://a.test",
  title: "t",
  content,
});
const never = { check: () => Promise.reject(new Error("not asked for")) };
const LONG = "<p>كلمة <b>x</b></p>\n".repeat(20_000);

/** Runs `work` and returns how often the event loop turned, and its longest stand-still in ms. */
async function watched(work: () => Promise<unknown>): Promise<{ turns: number; longest: number }> {
  let turns = 0;
  let longest = 0;
  let last = performance.now();
  let done = false;
  const spin = (): void => {
    turns += 1;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!done) setImmediate(spin);
  };
  setImmediate(spin);
  await work();
  done = true;
  return { turns, longest };
}

describe("checkItems()", () => {
  test("keeps the order of the entries, whoever checks them", async () => {
    const checked = await checkItems([entry(0, "x".repeat(200)), null, entry(2, LONG), entry(3, "x")], thread);
    expect(checked.map((each) => ("item" in each ? each.externalId : each.error.type))).toEqual([
      "e-0",
      "/errors/invalid-field",
      "e-2",
      "/errors/content-too-short",
    ]);
  });

  test("checks a light batch in one go", async () => {
    const { turns } = await watched(() => checkItems([entry(0, "x".repeat(200))], never));
    expect(turns).toBeLessThan(2);
  });

  test("lets others have their turns while it checks a long batch", async () => {
    const entries = Array.from({ length: 400 }, (_, n) => entry(n, `<p>${"كلمة ".repeat(3_000)}</p>`));
    const { turns } = await watched(() => checkItems(entries, never));
    expect(turns).toBeGreaterThan(5);
  });

  test("lets the thread check a long item, with the same result", async () => {
    await checkItems([entry(0, LONG)], thread);
    const checked: unknown[] = [];
    const { turns } = await watched(async () => {
      checked.push(...(await checkItems([entry(1, LONG)], thread)));
    });
    expect(turns).toBeGreaterThan(10);
    expect(checked).toEqual([checkItem(entry(1, LONG))]);
  });

  test("counts all texts of an item as its weight", async () => {
    let asked = 0;
    const counting = {
      check: async (each: unknown) => {
        asked += 1;
        return checkItem(each);
      },
    };
    const text = "x".repeat(30_000);
    await checkItems(
      [
        entry(0, text),
        { ...entry(1, text), title: text },
        { ...entry(2, text), authors: [text] },
        { ...entry(3, text), url: `https://a.test/?${text}` },
        { ...entry(4, text), images: [`https://a.test/?${text}`] },
      ],
      counting,
    );
    expect(asked).toBe(4);
  });

  test("checks a long item itself when the thread has ended", async () => {
    const [checked] = await checkItems([entry(0, LONG)], never);
    expect(checked).toMatchObject({ externalId: "e-0", item: { title: "t" } });
  });
});

test("a thread that is closed checks what it was given, and nothing after", async () => {
  const own = createCheckThread();
  const open = Promise.all([own.check(entry(0, LONG)), own.check(null)]);
  await own.close();
  expect(await open).toEqual([checkItem(entry(0, LONG)), checkItem(null)]);
  expect(await own.check(null).catch((error: unknown) => error)).toMatchObject({ code: "closed" });
});

const packageOf = (args: Record<string, string>[]): RelationsPackage => ({
  doc_id: "1",
  enrichment_status: "ok",
  relations: args.map((each) => ({ type: "meets", args: each, confidence: 0.5, offsets: { start: 0, end: 1 } })),
});

test("arguments that name something become entities; clauses and signs do not", async () => {
  const [relation] = (
    await relationsReport(
      packageOf([{ who: "السيد محمد", where: "—", what: "كلمة ".repeat(50), long: "x".repeat(2000) }]),
      "r",
    )
  ).relations;
  expect(relation?.entities).toEqual({ who: { name: "السيد محمد", key: "سيد محمد" } });
});

const PIECES = ["?", "؟", "_", "a_", "'", "\u064b", "😀", " ", ".", "#", "\ud83d"];

test.each(PIECES)("arguments of %j, as long as they may be, take time with their length", async (piece) => {
  const of = (length: number) => `x${piece.repeat(Math.ceil(length / piece.length))}x`;
  const body = packageOf([...Array.from({ length: 100 }, (_, i) => ({ who: of(990) + i })), { who: of(9_990) }]);
  expect(await processorMs(() => relationsReport(body, "r"))).toBeLessThan(50);
});
