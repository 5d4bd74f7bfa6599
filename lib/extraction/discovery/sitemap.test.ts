import { expect, test } from "bun:test";
import { gatherSitemaps, type Sitemap } from "./sitemap.ts";

const root = "https://a.example/sitemap.xml";
const index = (...files: [url: string, modifiedAt?: string][]): Sitemap => ({
  kind: "index",
  truncated: false,
  files: files.map(([url, modifiedAt = null]) => ({ url, modifiedAt })),
});
const pages = (...urls: [url: string, modifiedAt?: string][]): Sitemap => ({
  kind: "pages",
  truncated: false,
  pages: urls.map(([url, modifiedAt = null]) => ({ url, modifiedAt, news: null, image: null })),
});

/** Reads from a table and notes what was asked for. */
function reader(table: Record<string, Sitemap | null>) {
  const asked: string[] = [];
  return {
    asked,
    read: async (url: string) => {
      asked.push(url);
      const sitemap = table[url];
      if (sitemap === undefined) throw new Error("not found");
      return sitemap;
    },
  };
}

test("the files of an index are read, the latest first, a failing one named", async () => {
  const { asked, read } = reader({
    [root]: index(
      ["https://a.example/old.xml", "2025-01-01T00:00:00Z"],
      ["https://a.example/gone.xml"],
      ["https://www.a.example/new.xml", "2025-05-01T00:00:00Z"],
    ),
    "https://a.example/old.xml": pages(["https://a.example/1"]),
    "https://www.a.example/new.xml": pages(["https://a.example/2"], ["https://a.example/1"]),
  });
  const gathered = await gatherSitemaps(root, { read });
  expect(asked).toEqual([
    root,
    "https://www.a.example/new.xml",
    "https://a.example/old.xml",
    "https://a.example/gone.xml",
  ]);
  expect(gathered.pages.map(({ url }) => url)).toEqual(["https://a.example/2", "https://a.example/1"]);
  expect(gathered.problems.map(({ url }) => url)).toEqual(["https://a.example/gone.xml"]);
});

test("files and pages of other sites, and those from before the time, are passed over", async () => {
  const { asked, read } = reader({
    [root]: index(
      ["https://evil.example.org/x.xml"],
      ["https://a.example/old.xml", "2024-01-01T00:00:00Z"],
      ["https://a.example/1.xml"],
    ),
    "https://a.example/1.xml": pages(
      ["https://other.example.org/1"],
      ["https://a.example/old", "2024-01-01T00:00:00Z"],
      ["https://a.example/new", "2025-05-01T00:00:00Z"],
    ),
  });
  const gathered = await gatherSitemaps(root, { read, since: "2025-01-01T00:00:00Z" });
  expect(asked).toEqual([root, "https://a.example/1.xml"]);
  expect(gathered.pages.map(({ url }) => url)).toEqual(["https://a.example/new"]);
});

test("an index that names itself, or others without end, ends", async () => {
  let made = 0;
  const endless = async () => index([root], [`https://a.example/${++made}.xml`], [`https://a.example/${++made}.xml`]);
  const deep = await gatherSitemaps(root, { read: endless, maxDepth: 1, maxFiles: 100 });
  expect(deep).toEqual({ pages: [], problems: [] });
  expect(made).toBe(6);
  made = 0;
  await gatherSitemaps(root, { read: endless, maxDepth: 100, maxFiles: 10 });
  expect(made).toBe(20);
});

test("no more pages come back than asked for; a file that has not changed brings none", async () => {
  const { read } = reader({
    [root]: pages(["https://a.example/1"], ["https://a.example/2"]),
    "https://a.example/same.xml": null,
  });
  expect((await gatherSitemaps(root, { read, maxPages: 1 })).pages).toHaveLength(1);
  expect(await gatherSitemaps("https://a.example/same.xml", { read })).toEqual({ pages: [], problems: [] });
});

test("it stops when its signal aborts", async () => {
  const abort = new AbortController();
  const read = async () => {
    abort.abort(new Error("enough"));
    return index(["https://a.example/1.xml"]);
  };
  const outcome = await gatherSitemaps(root, { read, signal: abort.signal }).catch((error: unknown) => error);
  expect(outcome).toEqual(new Error("enough"));
});
