import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseHTML } from "linkedom";
import { type TestDesk, testDesk } from "../testing/desk.ts";

/** The linguistic service: it reads what is Arabic, and refuses the rest. */
let nlp: ReturnType<typeof Bun.serve>;
let desk: TestDesk;
beforeAll(async () => {
  nlp = Bun.serve({
    port: 0,
    async fetch(request) {
      const { text = "" } = Object(await request.json());
      if (!/[\u0600-\u06ff]/.test(text)) {
        const problem = {
          type: "/errors/validation-error",
          title: "x",
          status: 422,
          detail: "x",
          instance: "/analyse",
        };
        return Response.json({ ...problem, errors: { text: ["must be Arabic"] } }, { status: 422 });
      }
      return Response.json(ANALYSIS);
    },
  });
  desk = await testDesk({ NLP_URL: `http://127.0.0.1:${nlp.port}` });
}, 300_000);
afterAll(async () => {
  await desk.close();
  await nlp.stop(true);
});

const at = { start: 0, end: 1 };
const ANALYSIS = {
  tokens: [
    {
      token: "زار",
      lemma: "زَار",
      pos: "VERB",
      gloss: "visit | call on",
      root: "ز و ر",
      sense_gloss: null,
      start: 0,
      end: 3,
    },
    { token: "جامعة", lemma: "جامعة", pos: "NOUN", gloss: null, sense_gloss: null, start: 4, end: 9 },
    { token: "<b>دمشق</b>", lemma: "دمشق", pos: "PROPN", gloss: null, sense_gloss: null, start: 10, end: 14 },
  ],
  entities: [
    { type: "ORG", text: "جامعة دمشق", start: 4, end: 14, level: 0 },
    { type: "GPE", text: "دمشق", start: 10, end: 14, level: 1 },
  ],
  dialect: { dialect: "levantine", scores: { levantine: 0.9 } },
  relations: [
    {
      ...{ predicate: "agent", subject: "زار", object: "سارة", event: "visit", event_id: 1, confidence: 0.91 },
      offsets: { predicate: null, subject: at, object: at },
    },
  ],
};

test("a text is shown word over word, with names, relations and its variety; all of it as text", async () => {
  const page = await (await desk.form("/analyse", { text: "زار جامعة دمشق" })).text();
  expect(page).toContain("&lt;b&gt;دمشق&lt;/b&gt;");
  for (const word of ["verb", "visit", "ز و ر", "Levantine", "91 %"]) expect(page).toContain(word);
  expect(page).not.toContain("call on</");
  // A name within a name has a bracket within its bracket.
  const { document } = parseHTML(page);
  expect(document.querySelector(".name > .words > .name > .l-names")?.textContent).toBe("country or place");
  expect(document.querySelectorAll(".name > .words > li")).toHaveLength(3);
});

test("what is not Arabic is told so, and the text stays in the field", async () => {
  const response = await desk.form("/analyse", { text: "no <textarea> here" });
  const page = await response.text();
  expect([response.status, page.includes("Text</strong>: <bdi")]).toEqual([422, true]);
  expect(page).toContain("no &lt;textarea&gt; here</textarea>");
  expect((await desk.page("/analyse")).response.status).toBe(200);
});
