import { expect, test } from "bun:test";
import { acceptedOffer, textStream } from "./negotiate.ts";

const OFFERS = [
  { types: ["application/json"], value: "json" },
  { types: ["text/csv"], value: "csv" },
  { types: ["application/jsonl", "application/x-ndjson"], value: "jsonl" },
];

test("the media type that is accepted most is taken, the first where that does not decide", () => {
  const taken: Record<string, string> = {
    "": "json",
    "*/*": "json",
    "image/png": "json",
    "text/csv": "csv",
    "Text/CSV; charset=utf-8": "csv",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "json",
    "text/csv;q=0.5, application/x-ndjson": "jsonl",
    "application/json;q=0.9, text/csv;q=0.8": "json",
    "text/csv;q=0": "json",
    "*/*;q=0.1, text/csv;q=0.2": "csv",
  };
  for (const [accept, value] of Object.entries(taken))
    expect([accept, acceptedOffer(accept, OFFERS)]).toEqual([accept, value]);
  expect(acceptedOffer(undefined, OFFERS)).toBe("json");
});

test("a stream is made as it is read, and ends when nobody reads on", async () => {
  let made = 0;
  let ended = false;
  async function* texts(): AsyncGenerator<string, void> {
    try {
      for (;;) {
        made++;
        yield "x".repeat(10_000);
      }
    } finally {
      ended = true;
    }
  }
  const reader = textStream(texts()).getReader();
  const { value } = await reader.read();
  expect(value?.byteLength).toBe(40_000);
  await reader.cancel();
  expect(made).toBeLessThanOrEqual(8);
  expect(ended).toBe(true);
});
