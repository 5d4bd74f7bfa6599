import type { Keys, Task } from "./tasks.ts";

const QUESTION = "كم بلغت كلفة الرصيف الجديد في ميناء مرسى نور؟";
const OPML = '<opml version="2.0"><body><outline text="Coast" xmlUrl="https://coast.example/feed"/></body></opml>';

/** Asks a question on the page of questions, by its keys. */
async function ask(keys: Keys, question: string): Promise<void> {
  await keys.press("/");
  await keys.type(question);
  await keys.press("Enter");
}

/** The tasks on the pages of claims, questions, analyses, sources and the state. */
export const CHECKING_TASKS: readonly Task[] = [
  {
    name: "narrow: to stories, one hit each",
    start: "/search?q=port",
    async run(keys) {
      await keys.tabTo("input[name=group]");
      await keys.press("Space", "Enter");
      await keys.arrive("group=story");
      await keys.see(".entry a[href^='/stories/']");
    },
  },
  {
    name: "claims: the queue of those without a review",
    start: "/claims",
    async run(keys) {
      await keys.press("f");
      await keys.tabTo("#claims-reviewed");
      await keys.press("ArrowDown");
      await keys.tabTo("form[action='/claims'] button");
      await keys.press("Enter");
      await keys.arrive("reviewed=false");
      await keys.see("ol .entry");
    },
  },
  {
    name: "review: see it as ClaimReview, then store it",
    start: "/claims",
    async run(keys) {
      await keys.press("j", "Enter");
      await keys.arrive("/claims/");
      await keys.tabTo("#publisher");
      await keys.type("Desk");
      await keys.tabTo("button[value=preview]");
      await keys.press("Enter");
      await keys.see("form pre");
      await keys.tabTo("button[value=save]");
      await keys.press("Enter");
      await keys.arrive("done=stored");
    },
  },
  {
    name: "match: is a text reviewed already?",
    start: "/claims",
    async run(keys) {
      await keys.press("f");
      await keys.tabTo("#match-text");
      await keys.type("أبقى المصرف المركزي سعر الفائدة عند 4.75 في المئة");
      await keys.press("Tab", "Enter");
      await keys.arrive("/claims/match");
      await keys.see("main .entry");
    },
  },
  {
    name: "ask: a question, and a further one",
    start: "/",
    async run(keys) {
      await keys.press("g", "a");
      await keys.arrive("/ask");
      await ask(keys, QUESTION);
      await keys.see("#answer .answer .cite");
      await ask(keys, "ومتى يُفتتح؟");
      await keys.see("#earlier .answer");
      await keys.see("#answer .answer, #answer .notice");
    },
  },
  {
    name: "ask: what the archive does not answer",
    start: "/ask",
    async run(keys) {
      await ask(keys, "What is the melting point of tungsten?");
      await keys.see("#answer .notice");
    },
  },
  {
    name: "cite: open the passage of an answer",
    start: `/ask?q=${encodeURIComponent(QUESTION)}`,
    async run(keys) {
      await keys.tabTo(".cite");
      await keys.press("Enter");
      await keys.arrive("#source-0-1");
      await keys.see(":target details[open] mark");
    },
  },
  {
    name: "ask: one article alone",
    start: "article:ar-central-bank-rate",
    async run(keys) {
      await keys.tabTo("a[href^='/ask?article=']");
      await keys.press("Enter");
      await keys.arrive("/ask?article=");
      await ask(keys, "ما سعر الفائدة؟");
      await keys.see("#answer .answer");
    },
  },
  {
    name: "source: add one by its address, with a preview",
    start: "/sources",
    async run(keys, { site }) {
      await keys.tabTo("#address");
      await keys.type(site);
      await keys.press("Enter");
      await keys.see("input[name=feed_url]");
      await keys.tabTo("form[action='/sources/new'] button");
      await keys.press("Enter");
      await keys.arrive("done=registered");
    },
  },
  {
    name: "source: pull it now",
    start: "/sources",
    async run(keys) {
      await keys.tabTo("button[value=pull]");
      await keys.press("Enter");
      await keys.arrive("done=queued");
    },
  },
  {
    name: "sources: bring in a list of feeds",
    start: "/sources",
    async run(keys) {
      await keys.tabTo("aside summary");
      await keys.press("Enter", "Tab");
      await keys.type(OPML);
      await keys.tabTo("form[action='/sources/import'] button");
      await keys.press("Enter");
      await keys.see("main [role=status]");
    },
  },
  {
    name: "analyse: take a sentence apart",
    start: "/",
    async run(keys) {
      await keys.press("g", "l");
      await keys.arrive("/analyse");
      await keys.tabTo("#text");
      await keys.type("زار وزير الخارجية المصري بيروت");
      await keys.press("Tab", "Enter");
      await keys.see(".words .name .l-names");
    },
  },
  {
    name: "state: is all well?",
    start: "/",
    async run(keys) {
      await keys.press("g", "e");
      await keys.arrive("/state");
      await keys.see("main table");
    },
  },
];

/** Does what keys alone do not show: a pointer, and a browser that runs no scripts. */
export const OTHER_TASKS: readonly Task[] = [
  {
    name: "drag over the timeline",
    start: "/search",
    how: "pointer",
    async run({ page, arrive, see }) {
      const box = await page.locator(".timeline svg").boundingBox();
      if (box === null) throw new Error("there is no timeline");
      const middle = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.55, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, middle, { steps: 4 });
      await page.mouse.move(box.x + box.width - 2, middle, { steps: 4 });
      await page.mouse.up();
      await arrive("from=");
      const { searchParams } = new URL(page.url());
      const [from = "", to = ""] = [searchParams.get("from"), searchParams.get("to")].map((day) => day ?? "");
      if (!(from < to)) throw new Error(`the days are ${from} to ${to}`);
      await see(".entry");
    },
  },
  {
    name: "choose a file of feeds",
    start: "/sources",
    how: "pointer",
    async run({ page }) {
      await page.locator("aside summary").click();
      const file = { name: "feeds.opml", mimeType: "text/xml", buffer: Buffer.from(OPML) };
      await page.setInputFiles("input[type=file]", file);
      await page.waitForFunction("document.querySelector('#opml').value.includes('coast.example')");
    },
  },
  {
    name: "search, narrow and read",
    start: "/",
    how: "no scripts",
    async run({ page, arrive, see }) {
      await page.fill("input[name=q]", "ميناء");
      await page.click(".quick-search button");
      await arrive("q=ميناء");
      await page.click("aside a[href*='source=almarsa']");
      await arrive("source=almarsa");
      await page.click(".entry h2 a");
      await arrive("/articles/");
      await see(".article-text p");
    },
  },
  {
    name: "revisions, chain and story",
    start: "article:ar-central-bank-rate",
    how: "no scripts",
    async run({ page, see }) {
      await see(".chain li");
      await page.click("a[href$='/revisions']");
      await see("ins");
      await page.goBack();
      await page.click("a[href^='/stories/']");
      await see(".order li");
    },
  },
  {
    name: "ask, and open a passage",
    start: "/ask",
    how: "no scripts",
    async run({ page, arrive, see }) {
      await page.fill("#question", QUESTION);
      await page.click("main form button");
      await see("#answer .cite");
      await page.click(".cite");
      await arrive("#source-0-1");
    },
  },
];
