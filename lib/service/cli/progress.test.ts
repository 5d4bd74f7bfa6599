import { expect, test } from "bun:test";
import { bar, createProgress } from "./progress.ts";

function terminal(columns = 80) {
  const written: string[] = [];
  return { sink: { write: (text: string) => written.push(text), isTTY: true, columns }, written };
}

test("nothing is drawn where there is no terminal", () => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text), isTTY: false });
  progress.update(1, 2, "half");
  progress.clear();
  expect(written).toEqual([]);
});

test("the bar is redrawn in place at most ten times a second, and the last time in any case", () => {
  const { sink, written } = terminal();
  let time = 0;
  const progress = createProgress(sink, () => time);
  for (const [at, done] of [
    [0, 0],
    [50, 1],
    [120, 2],
    [130, 4],
  ] as const) {
    time = at;
    progress.update(done, 4, `${done} articles`);
  }
  expect(written.map((line) => line.match(/\d articles/)?.[0])).toEqual(["0 articles", "2 articles", "4 articles"]);
  expect(written.every((line) => line.startsWith("\r"))).toBe(true);
});

test("a line never reaches the last column, so that the terminal does not wrap it", () => {
  const { sink, written } = terminal(40);
  createProgress(sink).update(1, 2, "x".repeat(100));
  expect(written[0]?.replace("\r\u001B[2K", "").length).toBe(39);
});

test("clear empties the line once it has been drawn, and only then", () => {
  const { sink, written } = terminal();
  const progress = createProgress(sink);
  progress.clear();
  expect(written.length).toBe(0);
  progress.update(1, undefined, "some");
  progress.clear();
  progress.clear();
  expect(written.length).toBe(2);
});

test("the bar shows share and per cent, and no more than all", () => {
  expect(bar(1, 2, "w")).toBe(`[${"#".repeat(12)}${".".repeat(12)}]  50%  w`);
  expect(bar(9, 2, "w")).toBe(`[${"#".repeat(24)}] 100%  w`);
  expect(bar(3, undefined, "3 read")).toBe("3 read");
});
