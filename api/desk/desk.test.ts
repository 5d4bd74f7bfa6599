import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestDesk, testDesk } from "./testing/desk.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await testDesk();
}, 300_000);
afterAll(() => desk.close());

describe("the frame of the desk", () => {
  test("speaks the language of the address, of the cookie, of the browser, and else Arabic", async () => {
    const langOf = async (path: string, headers: Record<string, string>) =>
      (await desk.page(path, { headers })).document.documentElement.getAttribute("lang");
    expect(await langOf("/", { "accept-language": "fr, en;q=0.5" })).toBe("en");
    expect(await langOf("/", { "accept-language": "fr" })).toBe("ar");
    expect(await langOf("/", { "accept-language": "en", cookie: "isnad_lang=ar" })).toBe("ar");
    const { response } = await desk.page("/?hl=ar&theme=dark&x=1");
    expect(response.headers.get("location")).toBe("/?x=1");
    expect(response.headers.getSetCookie().join()).toMatch(/isnad_lang=ar.*isnad_theme=dark/);
    const { document } = await desk.page("/", { headers: { cookie: "isnad_lang=ar; isnad_theme=dark" } });
    expect(document.documentElement.getAttribute("dir")).toBe("rtl");
    expect(document.documentElement.getAttribute("data-theme")).toBe("dark");
  });

  test("answers what is not there with a page to browsers, and with a problem to programs", async () => {
    const { response, document } = await desk.page("/nowhere");
    expect(response.status).toBe(404);
    expect(document.querySelector("h1")?.textContent).toBe("There is nothing here");
    const problem = await fetch(`${desk.site}/nowhere`);
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
    const other = await desk.page("/v1/search", { method: "PUT" });
    expect(other.response.status).toBe(405);
  });

  test("leads from what a form answered to where the form stands, also by the links of language and colours", async () => {
    for (const path of ["/claims/match", "/sources/preview", "/sources/new", "/sources/import", "/ask/stream"]) {
      const { response } = await desk.page(`${path}?hl=en`);
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        303,
        path.replace(/\/\w+$/, ""),
      ]);
      expect(response.headers.getSetCookie().join()).toContain("isnad_lang=en");
      expect((await desk.page(path)).response.status).toBe(303);
    }
    const { response } = await desk.page("/analyse");
    expect(response.status).toBe(200);
  });

  test("has no script or style in its pages, and files that may be kept for good", async () => {
    const { response, document } = await desk.page("/");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(document.querySelectorAll("script:not([src]), style, [style], [onclick]")).toHaveLength(0);
    const files = Array.from(
      await response
        .clone()
        .text()
        .then((html) => html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)),
      ([, path = ""]) => path,
    );
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) {
      const file = await fetch(`${desk.site}${path}`);
      expect(file.status).toBe(200);
      expect(file.headers.get("cache-control")).toContain("immutable");
    }
  });
});
