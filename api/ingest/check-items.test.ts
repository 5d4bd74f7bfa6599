import { expect, test } from "bun:test";
import { checkItems } from "./check-items.ts";

const entry = (n: number, content: string) => ({
  source_id: "s",
  external_id: `e-${n}`,
  url: "https://a.test",
  title: "t",
  content,
});

test("keeps the order of the entries", async () => {
  const checked = await checkItems([entry(0, "x".repeat(200)), null, entry(2, "x")]);
  expect(checked.map((each) => ("item" in each ? each.externalId : each.error.type))).toEqual([
    "e-0",
    "/errors/invalid-field",
    "/errors/content-too-short",
  ]);
});

test("lets others have their turn while it checks a heavy batch", async () => {
  const entries = Array.from({ length: 400 }, (_, n) => entry(n, `<p>${"كلمة ".repeat(3_000)}</p>`));
  let turns = 0;
  let done = false;
  const spin = (): void => {
    turns += 1;
    if (!done) setImmediate(spin);
  };
  setImmediate(spin);
  await checkItems(entries);
  done = true;
  expect(turns).toBeGreaterThan(5);
});

test("checks a light batch in one go", async () => {
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  await checkItems([entry(0, "x".repeat(200))]);
  expect(turns).toBe(0);
});
