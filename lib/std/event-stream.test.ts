import { expect, test } from "bun:test";
import { formatEvent, readEvents, type StreamEvent } from "./event-stream.ts";

async function eventsOf(text: string | Uint8Array, size = Number.POSITIVE_INFINITY): Promise<StreamEvent[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + Math.min(size, bytes.length));
  }
  return await Array.fromAsync(readEvents(pieces()));
}

const plain = (data: string, event = "message"): StreamEvent => ({ event, data, other: {} });

test("events are parted by blank lines, whatever the lines end in", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = ["event: delta", "data: a", "", "data:b", "", ""].join(end);
    expect(await eventsOf(text)).toEqual([plain("a", "delta"), plain("b")]);
  }
});

test("the bytes may be cut anywhere, also within a character and within CRLF", async () => {
  const text = ": ping\r\n\r\nevent: delta\r\ndata: مرحبا 👋\r\n\r\ndata: two\r\ndata: lines\r\n\r\n";
  const whole = await eventsOf(text);
  expect(whole).toEqual([plain("مرحبا 👋", "delta"), plain("two\nlines")]);
  for (let size = 1; size <= 7; size++) expect(await eventsOf(text, size)).toEqual(whole);
});

test("comments, ids and pauses are no events, and a last event needs no blank line", async () => {
  expect(await eventsOf(": comment\n\nid: 1\n\nretry: 10\n\ndata: [DONE]")).toEqual([plain("[DONE]")]);
});

test("an empty data field is an event, and a field of another name is kept", async () => {
  expect(await eventsOf("data:\n\ndata\n\n")).toEqual([plain(""), plain("")]);
  expect(await eventsOf('error: {"code":400}\n\n')).toEqual([
    { event: "message", data: "", other: { error: '{"code":400}' } },
  ]);
});

test("a byte order mark at the beginning is passed over", async () => {
  expect(await eventsOf("\ufeffdata: a\n\n")).toEqual([plain("a")]);
});

test("an event without an end is refused once it is too long", async () => {
  async function* endless() {
    for (;;) yield new Uint8Array(1_000_000).fill(97);
  }
  await expect(Array.fromAsync(readEvents(endless()))).rejects.toThrow(RangeError);
});

test("a formatted event is read back as it was", async () => {
  const text = formatEvent("delta", { text: "سطر\nآخر" });
  expect(text).toBe('event: delta\ndata: {"text":"سطر\\nآخر"}\n\n');
  expect((await eventsOf(text))[0]?.data).toBe('{"text":"سطر\\nآخر"}');
});

test("millions of blank lines are read in one pass, and are no events", async () => {
  const bytes = new Uint8Array(8_000_000).fill(10);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 64_000) yield bytes.subarray(at, at + 64_000);
  }
  expect(await Array.fromAsync(readEvents(pieces()))).toEqual([]);
});
