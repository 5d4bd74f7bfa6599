import { expect, test } from "bun:test";
import { guessZone, offsetsIn, type ZoneClues } from "./guess-zone.ts";

/** In winter. */
const now = Date.UTC(2026, 0, 15);
const guess = (clues: Partial<ZoneClues>) =>
  guessZone({ host: "paper.example", locales: [], offsets: [], now, ...clues });

test.each([
  [{ host: "paper.eg" }, "Africa/Cairo", true],
  [{ host: "www.paper.com.jo", locales: ["ar_EG"] }, "Asia/Amman", true],
  [{ host: "paper.co.uk" }, "Europe/London", true],
  [{ host: "paper.com", locales: ["ar_SA"] }, "Asia/Riyadh", true],
  [{ host: "paper.com", locales: ["ar", "en-GB"] }, "Europe/London", true],
  [{ host: "paper.com", locales: ["ar_AR", "en_US"], offsets: [180, 180, 0] }, "Etc/GMT-3", false],
  [{ host: "paper.com", offsets: [-300] }, "Etc/GMT+5", false],
  [{ host: "paper.io" }, "UTC", false],
  [{ host: "paper.us", offsets: [-480] }, "America/Los_Angeles", true],
  [{ host: "paper.us", offsets: [-300] }, "America/New_York", true],
  [{ host: "paper.us" }, "America/New_York", false],
  [{ host: "paper.ps" }, "Asia/Gaza", false],
  [{ host: "paper.eg", offsets: [120] }, "Africa/Cairo", true],
  [{ host: "paper.eg", offsets: [0, 0] }, "Africa/Cairo", true],
  [{ host: "paper.eg", offsets: [240] }, "Etc/GMT-4", false],
  [{ host: "127.0.0.1" }, "UTC", false],
] as const)("%j is in %s, surely: %p", (clues, zone, isSure) => {
  const found = guess(clues);
  expect([found.zone, found.isSure]).toEqual([zone, isSure]);
  expect(found.why).not.toBe("");
});

test("the offsets of feed times are read as they are written", () => {
  const feed = `<pubDate>Mon, 15 Jan 2024 10:00:00 +0300</pubDate><published>2024-01-15T10:00:00-05:30</published>
    <updated>2024-01-15T10:00:00Z</updated><pubDate>Mon, 15 Jan 2024 10:00:00 GMT</pubDate><pubDate>today</pubDate>`;
  expect(offsetsIn(feed)).toEqual([180, -330, 0, 0]);
});
