import { afterAll, beforeAll, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestDesk, testDesk } from "../testing/desk.ts";

let desk: TestDesk;
beforeAll(async () => {
  const away = "http://127.0.0.1:9";
  desk = await testDesk({ RETRIEVAL_URL: away, NLP_URL: away, EDGE_URL: away, SCRAPER_URL: away });
}, 300_000);
afterAll(() => desk.close());

test("the page of states names what needs somebody, what to do, and shows reasons as text", async () => {
  const [id = 0] = await admitItems(desk.store, [testItem({})]);
  await desk.store.work.claim({ stage: "ingestion", owner: "test", leaseS: 3_600, limit: 1 });
  const failure = { articleId: id, reason: "<img src=x onerror=alert(1)>", delayS: 0 };
  await desk.store.work.fail({ stage: "ingestion", owner: "test" }, [failure], { maxAttempts: 1 });
  const { response, document } = await desk.page("/state");
  expect(response.status).toBe(200);
  expect(document.querySelector("h1")?.textContent).toMatch(/things need somebody/);
  const needs = Array.from(document.querySelectorAll(".needs li"), ({ textContent }) => textContent ?? "");
  expect(needs.some((need) => need.startsWith("Crawler: does not answer"))).toBe(true);
  expect(needs.some((need) => need.includes("articles:retry --stage ingestion"))).toBe(true);
  expect(document.querySelectorAll("main img")).toHaveLength(0);
  expect(document.querySelector(".given-up")?.textContent).toContain("<img src=x");
  expect(document.querySelector(`.given-up a[href="/articles/${id}"]`)).not.toBeNull();
});

test("it is in Arabic, too, with numbers that agree", async () => {
  const { document } = await desk.page("/state", { headers: { "accept-language": "ar" } });
  expect(document.querySelector(".needs")?.textContent).toContain("تُرك مقال واحد بعد خمس محاولات: التنظيف");
});
