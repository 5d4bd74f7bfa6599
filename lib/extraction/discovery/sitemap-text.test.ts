import { gzipSync } from "node:zlib";
import { expect, test } from "bun:test";
import { SitemapError } from "./sitemap.ts";
import { MAX_SITEMAP, sitemapText } from "./sitemap-text.ts";

const codeOf = (bytes: Uint8Array) => {
  try {
    sitemapText(bytes);
    return "read";
  } catch (error) {
    return error instanceof SitemapError ? error.code : error;
  }
};

test("gzip is recognised by its bytes, and the charset by what the file says", () => {
  const source = '<?xml version="1.0" encoding="windows-1256"?><urlset>\u0645</urlset>';
  const bytes = Uint8Array.from(source, (character) => (character === "\u0645" ? 0xe3 : character.charCodeAt(0)));
  expect(sitemapText(gzipSync(bytes))).toBe(source);
  expect(sitemapText(bytes)).toBe(source);
});

test("a file that inflates without end, is cut short, or is too large is refused by name", () => {
  expect(codeOf(gzipSync(new Uint8Array(MAX_SITEMAP + 1)))).toBe("too-large");
  expect(codeOf(gzipSync(new Uint8Array(1000).fill(65)).subarray(0, 20))).toBe("not-a-sitemap");
  expect(codeOf(new Uint8Array(MAX_SITEMAP + 1).fill(65))).toBe("too-large");
});
