import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { eachLine, prefixed, Tail } from "./lines.ts";

test("a log line carries the name of its process in a column", () => {
  expect(prefixed("api", "hello")).toBe("api       | hello\n");
  expect(prefixed("retrieval", "hello")).toBe("retrieval | hello\n");
});

test("lines come whole, however the bytes were cut, and the last needs no newline", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  eachLine(stream, (line) => lines.push(line));
  stream.write("on");
  stream.write("e\ntwo\r\nلا");
  stream.end("st");
  while (lines.length < 3) await Bun.sleep(1);
  expect(lines).toEqual(["one", "two", "لاst"]);
});

test("the tail remembers the last line that says something", () => {
  const tail = new Tail(2);
  expect(tail.last()).toBe("");
  for (const line of ["a", "b", "c", "  "]) tail.push(line);
  expect(tail.last()).toBe("c");
});

test("the tail passes over what surrounds an error", () => {
  const tail = new Tail();
  const lines = [
    "1 | import x",
    "    ^",
    "SyntaxError: no such export",
    "      at main.ts:3:4",
    "",
    "Bun v1.4.4 (Linux x64)",
  ];
  for (const line of lines) tail.push(line);
  expect(tail.last()).toBe("SyntaxError: no such export");
});
