import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import { type TestDesk, testDesk } from "../testing/desk.ts";
import { ruleInArabic } from "./rules.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await testDesk();
}, 300_000);
afterAll(() => desk.close());

const arabic = { "accept-language": "ar" };

/** Counts the rules of refused fields that a page says, and returns those that are in English. */
function toldBy({ document }: Pick<Awaited<ReturnType<TestDesk["page"]>>, "document">) {
  const rules = [...document.querySelectorAll(".problem bdi")];
  return {
    rules: rules.length,
    english: rules.filter((rule) => rule.getAttribute("lang") === "en").map((rule) => rule.textContent),
  };
}

const long = "x".repeat(3_000);

test.each([
  "/claims?from=yesterday&lang=fr&sort=best&reviewed=maybe&cursor=x",
  `/stories/x?page=${long}`,
  "/claims?unknown=1",
  "/articles/1/revisions?offset=a",
  "/sources?tier=9&cursor=%00",
])("what a page refuses is said in Arabic on an Arabic page: %s", async (path) => {
  const page = await desk.page(path, { headers: arabic });
  expect(toldBy(page).english).toEqual([]);
});

test.each([
  [
    "/sources/new",
    { key: "x y", name: long, feed_url: "file:///etc", homepage: "nowhere", tier: "9", language: "??" },
    4,
  ],
  ["/sources/new", { key: "", name: "", feed_url: "" }, 1],
  ["/claims/match", { text: "" }, 1],
  ["/claims/match", { text: "نص ".repeat(9_000) }, 1],
  ["/searches", { name: "", q: "a".repeat(600), webhook: "ftp://x", digest: "yearly" }, 0],
] as const)("what a form refuses is said in Arabic on an Arabic page: %s %j", async (path, fields, least) => {
  const response = await desk.form(path, fields, arabic);
  const told = toldBy({ document: parseHTML(await response.text()).document });
  expect(told.english).toEqual([]);
  expect(told.rules).toBeGreaterThanOrEqual(least);
});

test("on an English page rules stand as the API says them", async () => {
  const { document } = await desk.page("/claims?from=yesterday");
  expect(document.querySelector(".problem bdi")?.textContent).toBe("must be an ISO 8601 date or timestamp");
});

test.each([
  ["is required", "مطلوب"],
  ["is required with provider rss", "مطلوب مع provider rss"],
  ["must be ar, en or null", "يجب أن يكون ar أو en أو null"],
  ["must be a string or an array of strings", "يجب أن يكون نصًّا أو قائمة نصوص"],
  ["must be a number from 0 to 1", "يجب أن يكون رقمًا من 0 إلى 1"],
  ["must have at most 100 entries", "يجب ألا يزيد على 100 عنصر"],
  ["must have at least 1 entry", "يجب ألا يقل عن عنصر واحد"],
  ["must have at most 5 entries", "يجب ألا يزيد على 5 عناصر"],
  ["must have at least 2 characters", "يجب ألا يقل عن محرفين"],
  ["must have at most 100000 characters in all", "يجب ألا يزيد على 100,000 محرف في المجموع"],
  ["must have at most 256 sentences; this one has 300", "يجب ألا يزيد على 256 جملة؛ وفيه 300"],
  ["must have 1 to 512 characters", "يجب أن يكون طوله من 1 إلى 512 محرفًا"],
  ["must be at least 0", "يجب ألا يقل عن 0"],
  ["https://a.test/ cannot be had: http-404", "تعذّر الوصول إلى https://a.test/: http-404"],
  ["since must not be after until", "يجب ألا يأتي since بعد until"],
  ["end must not be before start", "يجب ألا يسبق end start"],
  ["sentence_id or text is required", "يلزم sentence_id أو text"],
  ["is no parameter of this route; did you mean limit?", "غير معروف هنا؛ أتقصد limit؟"],
  [
    "must be off: a saved search takes words as they are written",
    "يجب أن يكون off: البحث المحفوظ يأخذ الكلمات كما كُتبت",
  ],
])("%s", (rule, said) => {
  expect(ruleInArabic(rule)).toBe(said);
});

test("a rule that nobody has put into words is left as it is, and a long one is not looked at", () => {
  expect(ruleInArabic("the moon must be full: it is not")).toBeUndefined();
  expect(ruleInArabic(`must be ${"x or ".repeat(1_000)}y`)).toBeUndefined();
});
