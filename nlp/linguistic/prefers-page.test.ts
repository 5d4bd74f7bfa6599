import { expect, test } from "bun:test";
import { prefersPage } from "./prefers-page.ts";

test("a client that names pages gets one, unless it likes JSON more, or as much and first", () => {
  for (const accept of [
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json",
    "application/json;q=0.2, text/html",
    "Text/HTML; q=0.5, application/json;q=0.4",
    "*/*;q=0.1, text/html;q=0.2",
    "text/html, */*",
  ]) {
    expect([accept, prefersPage(accept)]).toEqual([accept, true]);
  }
  for (const accept of [
    undefined,
    "",
    "*/*",
    "application/json",
    "application/json, text/html",
    "text/html;q=0.1, application/json",
    "text/html;q=0",
    "text/html;q=x, application/json;q=0.1",
  ]) {
    expect([accept, prefersPage(accept)]).toEqual([accept, false]);
  }
});
