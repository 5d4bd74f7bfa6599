import { expect, test } from "bun:test";
import { IdFilter } from "./id-filter.ts";

test("an id that was added always passes, and few others do", () => {
  const filter = new IdFilter();
  const added = Array.from({ length: 200 }, (_, i) => i * 104_729 + 2 ** 40 * (i % 3));
  for (const id of added) filter.add(id);
  expect(added.every((id) => filter.mayHold(id))).toBe(true);
  const others = Array.from({ length: 10_000 }, (_, i) => 3 * i + 50_000_000);
  expect(others.filter((id) => filter.mayHold(id)).length).toBeLessThan(300);
});
