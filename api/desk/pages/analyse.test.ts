import { afterAll, beforeAll, expect, test } from "bun:test";
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
      const isDialect = new URL(request.url).pathname === "/dialect/identify";
      return Response.json(isDialect ? { dialect: "levantine", scores: { levantine: 0.9 } } : ANALYSIS);
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
    { token: "زار", lemma: "زَار", pos: "VERB", gloss: "visit | call on", tags: ["O"], sense_gloss: null },
    { token: "<b>سارة</b>", lemma: "سارة", pos: "PROPN", gloss: null, tags: ["B-PERS"], sense_gloss: null },
  ],
  entities: [{ type: "PERS", text: "سارة", start: 0, end: 1, level: 0 }],
  relations: [
    {
      ...{ predicate: "agent", subject: "زار", object: "سارة", event: "visit", event_id: 1, confidence: 0.91 },
      offsets: { predicate: null, subject: at, object: at },
    },
  ],
};

test("a text is shown word over word, with names, relations and its variety; all of it as text", async () => {
  const page = await (await desk.form("/analyse", { text: "زار سارة" })).text();
  expect(page).toContain("&lt;b&gt;سارة&lt;/b&gt;");
  for (const word of ["verb", "visit", "person", "Levantine", "91 %"]) expect(page).toContain(word);
  expect(page).not.toContain("call on</");
});

test("what is not Arabic is told so, and the text stays in the field", async () => {
  const response = await desk.form("/analyse", { text: "no <textarea> here" });
  const page = await response.text();
  expect([response.status, page.includes("must be Arabic")]).toEqual([422, true]);
  expect(page).toContain("no &lt;textarea&gt; here</textarea>");
  expect((await desk.page("/analyse")).response.status).toBe(200);
});
