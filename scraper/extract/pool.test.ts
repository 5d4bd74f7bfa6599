import { afterAll, expect, test } from "bun:test";
import { ExtractError } from "./item.ts";
import { ExtractPool } from "./pool.ts";

const pool = new ExtractPool();
afterAll(() => pool.close());
const url = "https://a.example/news/1";

test.each([
  ["20,000 nested elements", "<div>".repeat(20_000)],
  ["two million brackets", "<".repeat(2_000_000)],
  ["100,000 attributes", `<div ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(" ")}>x`],
  ["300,000 line breaks", `<p>${"a<br>".repeat(300_000)}`],
  ["200,000 nested elements", "<div>".repeat(200_000)],
])("%s end in time, as a page or as a named error", async (_, html) => {
  const outcome = await pool.extract({ html, url }).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ExtractError);
  const after = await pool.extract({ html: "<h1>Still here</h1><p>It works as before.</p>", url });
  expect(after.title).toBe("Still here");
});

test("a closed pool takes no more pages", async () => {
  const other = new ExtractPool();
  await other.close();
  expect(other.extract({ html: "", url })).rejects.toThrow(ExtractError);
});
