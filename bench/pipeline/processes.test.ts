import { expect, test } from "bun:test";
import { peak } from "./processes.ts";

test("the most memory is kept, and the latest processor time", () => {
  const into = {};
  peak(into, { api: { cpuS: 1, rssMb: 50 } });
  peak(into, { api: { cpuS: 2, rssMb: 40 }, workers: { cpuS: 1, rssMb: 9 } });
  expect(into).toEqual({ api: { cpuS: 2, rssMb: 50 }, workers: { cpuS: 1, rssMb: 9 } });
});
