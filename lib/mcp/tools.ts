import { z } from "zod";
import { plainSnippet } from "../text/mod.ts";
import { defineTool, Page, type Tool, withQuery } from "./page.ts";

const articleId = z.int().min(1).describe("number of an article, as other tools give it");
const lang = z.enum(["ar", "en"]).optional();
const from = z.string().optional().describe("ISO 8601 time or day; nothing older");
const to = z.string().optional().describe("ISO 8601 time or day; nothing newer");
const limit = z.int().min(1).max(20).default(5);
const source = z.string().optional().describe("key of a source, as `sources` lists them");
const entity = z.string().optional().describe("name of a person, place or organisation, in any spelling");

/** Reads of an article what every list of them has. */
const Listed = z.object({
  article_id: z.int(),
  title: z.string(),
  url: z.string(),
  published_at: z.string().nullish(),
});

type Listed = z.output<typeof Listed> & { source?: string | null; source_name?: string | null };

const placeOf = ({ article_id, source, source_name, published_at, url }: Listed): string =>
  [`article ${article_id}`, source_name ?? source, published_at?.slice(0, 16), url].filter(Boolean).join(" · ");

const Span = z.object({ start: z.int(), end: z.int() });

const search = defineTool({
  name: "search",
  title: "Search the archive",
  description:
    "Searches the news archive by word and by meaning, in Arabic and English at once. Gives articles with the passage that fits, source, time and link. Use `article` to read one.",
  input: {
    query: z.string().min(1).max(500),
    mode: z.enum(["hybrid", "bm25", "vector"]).default("hybrid").describe("both ways, by word alone, by meaning alone"),
    ...{ lang, source, entity, from, to, limit },
    offset: z.int().min(0).max(900).default(0),
  },
  async run({ query, limit, ...rest }, ask) {
    const Results = z.object({
      total: z.int(),
      results: z.array(Listed.extend({ snippet: z.string(), source: z.string(), lang: z.string().nullable() })),
      meta: z.object({ degraded: z.boolean() }),
    });
    const { total, results, meta } = Results.parse(await ask(withQuery("/v1/search", { q: query, limit, ...rest })));
    const page = new Page();
    page.say(`${results.length} of ${total} hits${meta.degraded ? " (a part of the search is away)" : ""}`);
    for (const hit of results) {
      page.say(`${placeOf(hit)}\n${page.inline(hit.title)}`);
      page.quote(plainSnippet(hit.snippet), { chars: 400 });
    }
    const hits = results.map(({ snippet: _, ...hit }) => hit);
    return { page, data: { total, hits } };
  },
});

/** Characters of a text that are read for one part of it, and room for the line that says which part it is. */
const MAX_PART = 60_000;
const PLACE_TOKENS = 40;

const article = defineTool({
  name: "article",
  title: "Read an article",
  description: "Gives an article's text, in parts where it is long, with source, time, link and whom it names.",
  input: {
    article_id: articleId,
    start: z.int().min(0).default(0).describe("character of the text to begin with"),
    full: z.boolean().default(false).describe("up to ten times as much text"),
  },
  async run({ article_id, start, full }, ask) {
    const View = Listed.extend({
      content: z.string(),
      lang: z.string().nullable(),
      source_id: z.string(),
      authors: z.array(z.string()),
      gone_at: z.string().nullable(),
      entities: z.array(z.object({ name: z.string(), type: z.string(), mentions: z.int() })),
    });
    const view = View.parse(await ask(`/v1/articles/${article_id}`));
    const characters = [...view.content];
    const page = new Page({ full });
    page.say(placeOf({ ...view, source: view.source_id }));
    page.say(page.inline(view.title));
    if (view.authors.length > 0) page.say(`by ${page.inline(view.authors.join(", "))}`);
    if (view.gone_at !== null) page.say(`Its source has it no more since ${view.gone_at}.`);
    const names = view.entities.toSorted((a, b) => b.mentions - a.mentions).slice(0, 12);
    if (names.length > 0) page.say(`names ${page.inline(names.map(({ name }) => name).join(" · "))}`);
    const rest = characters.slice(start, start + MAX_PART).join("");
    const part = page.fitting(rest, PLACE_TOKENS);
    const end = start + [...part].length;
    page.say(
      `characters ${start} to ${end} of ${characters.length}${end < characters.length ? `; next: start=${end}` : ""}`,
    );
    page.quote(part);
    const { content: _, entities: __, ...data } = view;
    return { page, data: { ...data, characters: characters.length, start, end } };
  },
});

const chain = defineTool({
  name: "chain",
  title: "Trace a report",
  description:
    "Shows through which chain a report came: who had it first here, who took it over from whom and how much of it, and which agencies are credited. The first here need not be the first of all.",
  input: { article_id: articleId },
  async run({ article_id }, ask) {
    const Link = z.object({
      article_id: z.int().nullable(),
      source_name: z.string(),
      title: z.string(),
      url: z.string(),
      published_at: z.string().nullable(),
      kind: z.string(),
      overlap: z.number(),
      from: z.object({ article_id: z.int().nullable(), url: z.string() }).nullable(),
      credits: z.array(z.object({ name: z.string() })),
      confidence: z.number(),
    });
    const Chain = z.object({
      story_id: z.union([z.int(), z.string()]).nullable(),
      links: z.array(Link),
      reports: z.array(Listed),
    });
    const { story_id, links, reports } = Chain.parse(await ask(`/v1/articles/${article_id}/chain`));
    const page = new Page();
    page.say(
      `${links.length} that share text, in order of publication${story_id === null ? "" : `; story ${story_id}`}`,
    );
    for (const { from, credits, overlap, kind, confidence, ...link } of links) {
      const share =
        from === null
          ? ""
          : ` of ${Math.round(overlap * 100)} % from ${from.article_id ?? from.url} (confidence ${confidence.toFixed(2)})`;
      const credited =
        credits.length === 0 ? "" : `; credits ${page.inline(credits.map(({ name }) => name).join(", "))}`;
      const place =
        link.article_id === null
          ? `${link.source_name} · ${link.published_at} · ${link.url}`
          : placeOf({ ...link, article_id: link.article_id });
      page.say(`${kind}${share}: ${place}${credited}\n${page.inline(link.title, 160)}`);
    }
    if (reports.length > 0)
      page.say(`Other reports of the story: ${reports.map(({ article_id: id }) => id).join(", ")}`);
    return { page, data: { article_id, story_id, links, reports: reports.map(({ article_id: id }) => id) } };
  },
});

const StoryHead = z.object({
  story_id: z.union([z.int(), z.string()]),
  title: z.string(),
  size: z.int(),
  first_seen: z.string(),
  last_seen: z.string(),
  languages: z.array(z.string()),
  sources: z.array(z.object({ source_id: z.string(), source_name: z.string(), count: z.int() })),
});

const storyLine = ({ story_id, size, sources, first_seen, last_seen, languages }: z.output<typeof StoryHead>): string =>
  `story ${story_id} · ${size} articles of ${sources.length} sources (${languages.join(", ")}) · ${first_seen.slice(0, 16)} to ${last_seen.slice(0, 16)}`;

const stories = defineTool({
  name: "stories",
  title: "List stories",
  description:
    "Lists events that several articles report, in both languages, the largest first. Default: the last seven days.",
  input: {
    query: z.string().max(500).optional(),
    ...{ from, to, lang, source, entity, limit },
    sort: z.enum(["size", "newest", "growth"]).default("size"),
  },
  async run({ query, ...rest }, ask) {
    const List = z.object({ stories: z.array(StoryHead) });
    const { stories: listed } = List.parse(await ask(withQuery("/v1/stories", { q: query, ...rest })));
    const page = new Page();
    for (const each of listed) page.say(`${storyLine(each)}\n${page.inline(each.title)}`);
    if (listed.length === 0) page.say("no stories");
    return { page, data: { stories: listed.map(({ sources: _, ...head }) => head) } };
  },
});

const story = defineTool({
  name: "story",
  title: "Read a story",
  description: "Lists all articles of a story in order of publication, with their sources and links.",
  input: { story_id: z.union([z.int(), z.string()]) },
  async run({ story_id }, ask) {
    const Story = StoryHead.extend({ articles: z.array(Listed.extend({ source_name: z.string() })) });
    const whole = Story.parse(await ask(`/v1/stories/${encodeURIComponent(story_id)}`));
    const page = new Page();
    page.say(`${storyLine(whole)}\n${page.inline(whole.title)}`);
    for (const each of whole.articles) page.say(`${placeOf(each)} ${page.inline(each.title, 160)}`);
    const { articles, ...head } = whole;
    return { page, data: { ...head, article_ids: articles.map(({ article_id }) => article_id) } };
  },
});

const Review = z.object({
  review_id: z.int(),
  rating: z.number().nullable(),
  publisher: z.string(),
  url: z.string().nullish(),
});

const ratingOf = ({ rating, publisher, url, review_id }: z.output<typeof Review>): string =>
  `review ${review_id} by ${publisher}: ${rating === null ? "not rated" : `${rating} of 5`}${url ? ` ${url}` : ""}`;

const claims = defineTool({
  name: "claims",
  title: "List claims",
  description:
    "Lists sentences of articles that a fact-checker could look up, with who repeated them and what was checked before.",
  input: {
    query: z.string().max(500).optional(),
    ...{ from, to, lang, source, entity, limit },
    sort: z.enum(["score", "newest", "repeats"]).default("repeats"),
    reviewed: z.boolean().optional(),
  },
  async run({ query, ...rest }, ask) {
    const Claim = z.object({
      claim_id: z.int(),
      text: z.string(),
      score: z.number(),
      article: Listed,
      offsets: Span.nullish(),
      repeats: z.object({ count: z.int(), sources: z.int() }),
      reviews: z.array(Review),
    });
    const List = z.object({ claims: z.array(Claim) });
    const { claims: listed } = List.parse(await ask(withQuery("/v1/claims", { q: query, ...rest })));
    const page = new Page();
    for (const { claim_id, text, article: told, repeats, reviews } of listed) {
      page.say(`claim ${claim_id} · told ${repeats.count} times by ${repeats.sources} sources · ${placeOf(told)}`);
      page.quote(text, { chars: 400 });
      for (const review of reviews) page.say(ratingOf(review));
    }
    if (listed.length === 0) page.say("no claims");
    const data = listed.map(({ text: _, article: told, ...claim }) => ({ ...claim, article_id: told.article_id }));
    return { page, data: { claims: data } };
  },
});

const match = defineTool({
  name: "match",
  title: "Match a claim",
  description:
    "Finds reviews of fact-checkers, and claims of articles, that say the same as a sentence, in either language. `same` is true where they do.",
  input: { text: z.string().min(1).max(2_000), limit },
  async run({ text, limit: k }, ask) {
    const Match = z.object({
      results: z.array(
        z.object({
          reviews: z.array(Review.extend({ claim_text: z.string(), similarity: z.number(), same: z.boolean() })),
          claims: z.array(z.object({ claim_id: z.int(), text: z.string(), similarity: z.number(), same: z.boolean() })),
        }),
      ),
    });
    const { results } = Match.parse(await ask("/v1/claims/match", { body: { text, k } }));
    const [{ reviews, claims: near } = { reviews: [], claims: [] }] = results;
    const page = new Page();
    const sameness = ({ same, similarity }: { same: boolean; similarity: number }): string =>
      `${same ? "the same" : "not the same"} (${similarity.toFixed(2)})`;
    for (const review of reviews) {
      page.say(`${sameness(review)}: ${ratingOf(review)}`);
      page.quote(review.claim_text, { chars: 300 });
    }
    for (const claim of near) {
      page.say(`${sameness(claim)}: claim ${claim.claim_id}`);
      page.quote(claim.text, { chars: 300 });
    }
    if (reviews.length + near.length === 0) page.say("nothing like it");
    return { page, data: { reviews, claims: near } };
  },
});

const askArchive = defineTool({
  name: "ask",
  title: "Ask the archive",
  description:
    "Answers a question from the articles alone; [n] names the source that says it. Says so when the articles do not answer.",
  input: { question: z.string().min(1).max(2_000), lang },
  async run({ question, lang: answerLang }, ask) {
    const Answer = z.object({
      message: z.object({ content: z.string() }),
      sources: z.array(z.object({ n: z.int(), article_id: z.int(), title: z.string(), url: z.string() })),
      finish_reason: z.string(),
    });
    const body = { messages: [{ role: "user", content: question }], stream: false, lang: answerLang };
    const { message, sources, finish_reason } = Answer.parse(await ask("/chat/completions", { body }));
    const cited = sources.filter(({ n }) => message.content.includes(`[${n}]`));
    const page = new Page();
    if (finish_reason === "no_answer") page.say("The articles do not answer this.");
    page.quote(message.content, { chars: 2_500 });
    for (const { n, ...each } of cited) page.say(`[${n}] ${placeOf(each)} ${page.inline(each.title, 160)}`);
    return { page, data: { answer: message.content, answered: finish_reason !== "no_answer", sources: cited } };
  },
});

const entities = defineTool({
  name: "entities",
  title: "List entities",
  description:
    "Lists people, places and organisations by how often articles name them; one entry a thing, over spellings and languages.",
  input: {
    name: z.string().max(200).optional().describe("a part of the name"),
    type: z.string().optional().describe("PERS, ORG, GPE, LOC, EVENT, …"),
    ...{ from, to, limit },
  },
  async run({ name, ...rest }, ask) {
    const Entity = z.object({
      entity_id: z.int(),
      name: z.string(),
      types: z.array(z.string()),
      mentions: z.int(),
      articles: z.int(),
    });
    const List = z.object({ entities: z.array(Entity) });
    const { entities: listed } = List.parse(await ask(withQuery("/v1/entities", { q: name, ...rest })));
    const page = new Page();
    for (const each of listed) {
      page.say(
        `${page.inline(each.name)} · ${each.types[0] ?? ""} · ${each.articles} articles, ${each.mentions} times · entity ${each.entity_id}`,
      );
    }
    if (listed.length === 0) page.say("no entities");
    return { page, data: { entities: listed } };
  },
});

const sources = defineTool({
  name: "sources",
  title: "List sources",
  description: "Lists the sources of the archive: name, state, newest article, articles a day.",
  input: { cursor: z.string().optional() },
  async run({ cursor }, ask) {
    const Source = z.looseObject({ key: z.string(), name: z.string().nullish(), state: z.string().nullish() });
    const List = z.object({ sources: z.array(Source), next_cursor: z.string().nullish() });
    const { sources: listed, next_cursor } = List.parse(await ask(withQuery("/v1/sources", { limit: 50, cursor })));
    const page = new Page();
    for (const { key, name, state } of listed) page.say([key, name, state].filter(Boolean).join(" · "));
    if (next_cursor) page.say(`more: cursor=${next_cursor}`);
    return { page, data: { sources: listed.map(({ key, name, state }) => ({ key, name, state })), next_cursor } };
  },
});

/** The layers of the tool, and what the service calls them. */
const LAYERS = { words: "morph", entities: "ner", events: "re" } as const;

const Analysed = z.object({
  tokens: z.array(
    z.object({
      token: z.string(),
      lemma: z.string().nullish(),
      root: z.string().nullish(),
      gloss: z.string().nullish(),
      pos: z.string().nullish(),
    }),
  ),
  entities: z.array(z.object({ text: z.string(), type: z.string(), level: z.int(), ...Span.shape })).optional(),
  relations: z.array(z.looseObject({ type: z.string().nullish() })).optional(),
});

const analyse = defineTool({
  name: "analyse",
  title: "Take Arabic text apart",
  description:
    "Takes an Arabic text apart: its words with lemma, root and meaning; whom it names; events and who takes part in them.",
  input: {
    text: z.string().min(1).max(2_000),
    layers: z
      .array(z.enum(["words", "entities", "events"]))
      .min(1)
      .default(["words", "entities"]),
  },
  async run({ text, layers }, ask) {
    const named = layers.map((layer) => LAYERS[layer]);
    const answer = Analysed.parse(await ask("/nlp/analyse", { body: { text, layers: named } }));
    const page = new Page();
    const data: Record<string, unknown> = {};
    if (layers.includes("words")) {
      data.words = answer.tokens;
      for (const { token, lemma, root, pos, gloss } of answer.tokens) {
        const parts = [token, lemma, root && `root ${root}`, pos, gloss].filter(Boolean).join(" · ");
        if (!page.say(page.inline(parts))) break;
      }
    }
    if (answer.entities !== undefined) {
      data.entities = answer.entities;
      for (const { type, start, end, text: name } of answer.entities)
        page.say(`${type} ${start}–${end} ${page.inline(name)}`);
    }
    if (answer.relations !== undefined) {
      data.events = answer.relations;
      for (const relation of answer.relations) page.say(page.inline(JSON.stringify(relation)));
    }
    return { page, data };
  },
});

/** Lists the tools that agents have: each reads, and asks the API for what it reads. */
export const TOOLS: readonly Tool[] = [
  ...[search, article, chain, stories, story, claims, match],
  ...[askArchive, entities, sources, analyse],
];
