import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SearchBody, SimilarArticles } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import postgres from "postgres";
import { randomNumbers } from "../../../lib/search/keyword/testing/random.ts";
import { KEYWORD_FIELDS, keywordDocs } from "@isnad/lib/search/sync";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestArticle, type TestRetrieval, testRetrieval } from "../testing.ts";

const random = randomNumbers(11);
const pick = <T>(values: readonly T[]): T => at(values, random(values.length));
const WORDS = "harbour canal strike budget election drought orchard ميناء إضراب موازنة انتخابات جفاف".split(" ");
const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(" ");
const filler = "The council met on the first floor and nobody raised a hand. ".repeat(4);

const ARTICLES = Array.from({ length: 240 }, (_, i): TestArticle => {
  const time = Date.UTC(2024, 2, 28) + random(20) * 3_600_000 * 7 + random(60) * 60_000;
  return {
    title: `${words(2)} ${i}`,
    content: `${words(6)}. ${filler}`,
    axis: i % 3,
    lang: pick(["ar", "en"]),
    sourceId: pick(["wire", "gazette", "daily"]),
    domain: pick(["news.example", "ar.news.example", "daily.example"]),
    authors: Array.from({ length: random(3) }, () => pick(["Jane Doe", "أحمد علي", "Ali"])),
    ...(random(3) > 0 && { categoryId: pick(["sport", "economy"]) }),
    ...(random(4) > 0 && { publishedAt: new Date(time).toISOString() }),
  };
});

let service: TestRetrieval;
let sql: postgres.Sql;
beforeAll(async () => {
  service = await testRetrieval(ARTICLES);
  sql = postgres(service.url, { onnotice: () => {}, types: { bigint: postgres.BigInt } });
  await sql`insert into entities (name, name_key) values ('Suez Canal', 'suez canal'), ('Tyre', 'tyre')`;
  await sql`insert into article_entities (article_id, entity_id, type, mentions)
    select article_id, entity_id, 'LOC', 1 from articles, entities where (article_id + entity_id) % 3 = 0`;
}, 300_000);
afterAll(async () => {
  await sql.end();
  await service.close();
});

const ask = async (query: Record<string, string>) => {
  const { status, body } = await service.get(`/search?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return SearchBody.parse(body);
};
const refused = async (query: Record<string, string>) => {
  const { status, body } = await service.get(`/search?${new URLSearchParams(query)}`);
  expect(status).toBe(422);
  return Object.keys(Object(body.errors));
};

/** Goes through all pages. */
async function walk(query: Record<string, string>, between: (page: number) => Promise<void> = async () => {}) {
  const ids: number[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; cursor !== null && page < 100; page++) {
    const body = await ask({ ...query, ...(cursor !== undefined && { cursor }) });
    ids.push(...body.results.map(({ article_id }) => article_id));
    cursor = body.meta.next_cursor;
    await between(page);
  }
  return ids;
}

describe("without a query", () => {
  test("everything that the filters leave comes newest first", async () => {
    const expected = await sql<{ id: string }[]>`
      select article_id as id from articles where lang = 'ar'
      order by coalesce(published_at, created_at) desc, article_id desc`;
    const ids = expected.map(({ id }) => Number(id));
    const first = await ask({ lang: "ar", limit: "100" });
    expect(first.results.map(({ article_id }) => article_id)).toEqual(ids.slice(0, 100));
    expect(first.total).toBe(ids.length);
    expect(await walk({ lang: "ar", limit: "7" })).toEqual(ids);
    expect(await walk({ lang: "ar", limit: "50", sort: "oldest", mode: "vector" })).toEqual(ids.toReversed());
  });

  test("fields and what is excluded alone are filters", async () => {
    const rows = await sql<{ id: string }[]>`
      select article_id as id from articles where source_id = 'wire' and domain <> 'daily.example'
      order by coalesce(published_at, created_at) desc, article_id desc`;
    const ids = rows.map(({ id }) => Number(id));
    expect(await walk({ q: "source:WIRE -domain:daily.example", limit: "30" })).toEqual(ids);
    expect((await ask({ q: "!!!" })).total).toBe(0);
  });
});

test("facets and histogram equal what the database counts, for 200 questions and filters", async () => {
  const units = ["hour", "day", "week", "month"] as const;
  const zones = ["UTC", "Asia/Beirut", "Europe/Berlin", "America/St_Johns"];
  const facets = ["source", "category", "lang", "domain", "author", "entity"] as const;
  const questions: { body: SearchBody; ids: number[]; unit: string; tz: string }[] = [];
  for (let i = 0; i < 200; i++) {
    const [unit, tz] = [at(units, i % 4), pick(zones)];
    const query: Record<string, string> = {
      ...(i % 5 > 0 && { q: words(1 + random(3)) }),
      mode: pick(["bm25", "hybrid", "vector"]),
      match: pick(["any", "all"]),
      ...(random(2) === 0 && { lang: pick(["ar", "en"]) }),
      ...(random(3) === 0 && { source: pick(["wire", "daily"]) }),
      ...(random(3) === 0 && { from: "2024-03-29", to: "2024-04-01" }),
      ...(random(4) === 0 && { domain: "news.example" }),
      ...{ limit: "100", facet_limit: "2", histogram: unit, tz },
    };
    if (query.mode === "vector" && query.q !== undefined) query.q = `axis:${random(3)} ${query.q}`;
    const body = await ask({ ...query, facets: facets.join(",") });
    const { next_cursor: cursor } = body.meta;
    const rest = cursor ? await walk({ ...query, cursor }) : [];
    const ids = [...body.results.map(({ article_id }) => article_id), ...rest];
    expect(body.total).toBe(ids.length);
    expect(new Set(ids).size).toBe(ids.length);
    questions.push({ body, ids, unit, tz });
  }
  const hits = sql`(
    select question::int, id::bigint as article_id
    from jsonb_array_elements(${sql.json(questions.map(({ ids }) => ids))}) with ordinality as asked (ids, question),
      jsonb_array_elements(asked.ids) id) hits`;
  /** Counts the values of all hits that `from` names, for each question the two most frequent. */
  const counts = async (value: postgres.Fragment, from: postgres.Fragment) => {
    const rows = await sql<{ question: number; value: string; count: number }[]>`
      select question, value, count from (
        select question, ${value}::text as value, count(distinct article_id)::int as count,
          row_number() over (
            partition by question order by count(distinct article_id) desc, ${value}::text collate "C") as place
        from ${hits} join ${from} using (article_id) where ${value} is not null group by question, ${value}) counted
      where place <= 2 order by question, place`;
    return questions.map((_, i) =>
      rows.filter(({ question }) => question === i + 1).map(({ value, count }) => ({ value, count })),
    );
  };
  const authors = sql`(select article_id, unnest(authors) as author from articles) authors`;
  const expected = {
    source: await counts(sql`source_id`, sql`articles`),
    category: await counts(sql`category_id`, sql`articles`),
    lang: await counts(sql`lang`, sql`articles`),
    domain: await counts(sql`domain`, sql`articles`),
    author: await counts(sql`author`, authors),
    entity: await counts(sql`entity_id`, sql`article_entities`),
  };
  const spans = questions.map(({ unit, tz }) => ({ unit, tz }));
  const buckets = await sql<{ question: number; from: Date; count: number }[]>`
    select question::int, date_trunc(spans.span ->> 'unit', coalesce(published_at, created_at), spans.span ->> 'tz') as "from",
      count(*)::int as count
    from ${hits} join articles using (article_id)
      join jsonb_array_elements(${sql.json(spans)}) with ordinality as spans (span, question) using (question)
    group by 1, 2 order by 1, 2`;
  for (const [i, { body }] of questions.entries()) {
    for (const name of facets) {
      const facet = (body.facets?.[name] ?? []).map(({ value, count }) => ({ value, count }));
      expect(facet).toEqual(at(expected[name], i));
    }
    expect(body.histogram?.map(({ from, count }) => ({ from: new Date(from).toISOString(), count }))).toEqual(
      buckets
        .filter(({ question }) => question === i + 1)
        .map(({ from, count }) => ({ from: from.toISOString(), count })),
    );
  }
  expect(questions.flatMap(({ ids }) => ids).length).toBeGreaterThan(5_000);
}, 300_000);

describe("a cursor", () => {
  const indexed = async (ids: readonly number[]) =>
    keywordDocs(await service.store.articles.byIds(ids, KEYWORD_FIELDS), new Map());
  const admitted = async (title: string) => {
    const [id = 0] = await admitItems(service.store, [
      testItem({ title, content: `harbour canal ${filler}`, lang: "en" }),
    ]);
    await service.keyword.upsert(await indexed([id]));
    return id;
  };

  test.each([
    { q: "harbour canal", mode: "bm25" },
    { q: "axis:1 harbour", mode: "hybrid" },
    { q: "harbour -strike", mode: "bm25", sort: "newest" },
    { q: "axis:2", mode: "vector" },
    { source: "wire" },
  ] as Record<string, string>[])(
    "goes through all that matched, once, whatever arrives, is deleted, revised or restarted meanwhile: %o",
    async (query) => {
      const before = await walk({ ...query, limit: "100" });
      expect(before.length).toBeGreaterThan(40);
      // Of the later pages: one deleted, one that does not match any more.
      const [gone, revised] = [at(before, 30), at(before, 35)];
      const arrived: number[] = [];
      const ids = await walk({ ...query, limit: "9" }, async (page) => {
        if (page === 0) {
          arrived.push(await admitted(`harbour ${JSON.stringify(query)}`));
          await sql`update articles set title = 'Nothing', content = ${filler} where article_id = ${revised}`;
          await service.keyword.upsert(await indexed([revised]));
        }
        if (page === 1) {
          service.restart();
          const keys = (await indexed([gone])).map(({ articleId }) => articleId);
          await service.store.articles.remove(gone);
          await service.keyword.remove(keys);
        }
      });
      expect(ids.filter((id) => arrived.includes(id))).toEqual([]);
      expect(ids).toEqual(before.filter((id) => id !== gone));
    },
  );

  test("after a restart between its first two pages nothing is doubled, and nothing new comes in", async () => {
    for (const query of [{ q: "harbour canal", mode: "bm25" }, { lang: "en" }]) {
      const before = await walk({ ...query, limit: "100" });
      let arrived = 0;
      const ids = await walk({ ...query, limit: "9" }, async (page) => {
        if (page > 0) return;
        await Bun.sleep(5);
        arrived = await admitted("harbour after a restart");
        service.restart();
      });
      // One article more changes what words weigh, and so the order.
      expect(ids.toSorted()).toEqual(before.toSorted());
      expect(ids).not.toContain(arrived);
    }
  });

  test("after a restart goes on once all parts answer again that its first page was found by", async () => {
    const query = { q: "axis:1 harbour", limit: "9" };
    const before = await walk({ ...query, limit: "100" });
    const { results, meta } = await ask(query);
    const cursor = meta.next_cursor ?? "";
    service.restart();
    try {
      service.breakVectors(true);
      const refused = await service.get(`/search?${new URLSearchParams({ ...query, cursor })}`);
      expect(refused).toMatchObject({ status: 503, body: { type: "/errors/service-unavailable" } });
    } finally {
      service.breakVectors(false);
    }
    const rest = await walk({ ...query, cursor });
    expect([...results.map(({ article_id }) => article_id), ...rest]).toEqual(before);
  });

  test("goes deeper than pages by number, and on from one of them", async () => {
    const whole = await walk({ q: "harbour canal", mode: "bm25", limit: "100" });
    const page = await ask({ q: "harbour canal", mode: "bm25", limit: "10", offset: "20" });
    const next = await ask({ q: "harbour canal", mode: "bm25", limit: "5", cursor: page.meta.next_cursor ?? "" });
    expect(next.results.map(({ article_id }) => article_id)).toEqual(whole.slice(30, 35));
    expect(next.total).toBe(page.total);
  });

  test("goes on beyond the hits that pages reach: nothing is lost or doubled, whatever arrives or goes before page two", async () => {
    const items = Array.from({ length: 1_060 }, (_, i) =>
      testItem({ title: `Lighthouse ${i}`, content: `lighthouse ${"keeper ".repeat(i % 9)}${i}. ${filler}` }),
    );
    const added = await admitItems(service.store, items);
    await service.keyword.upsert(await indexed(added));
    for (const query of [{ q: "lighthouse", mode: "bm25" }, { q: "axis:1 lighthouse" }] as Record<string, string>[]) {
      const before = await walk({ ...query, limit: "100" });
      expect(before.length).toBeGreaterThanOrEqual(1_058);
      const gone = at(before, 1_040);
      const ids = await walk({ ...query, limit: "100" }, async (page) => {
        if (page > 0) return;
        added.push(await admitted(`lighthouse of ${JSON.stringify(query)}`));
        const keys = (await indexed([gone])).map(({ articleId }) => articleId);
        await service.store.articles.remove(gone);
        await service.keyword.remove(keys);
        service.restart();
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.toSorted()).toEqual(before.filter((id) => id !== gone).toSorted());
    }
  });

  test("of another search, of a search that is over, or of none is refused", async () => {
    const { meta } = await ask({ q: "harbour", limit: "5" });
    const second = await ask({ q: "harbour", limit: "5", cursor: meta.next_cursor ?? "" });
    for (const cursor of [meta.next_cursor ?? "", second.meta.next_cursor ?? ""]) {
      expect(await refused({ q: "canal", cursor })).toEqual(["cursor"]);
      expect(await refused({ q: "harbour", match: "all", cursor })).toEqual(["cursor"]);
    }
    for (const cursor of ["abc", Buffer.from("{}").toString("base64url"), Buffer.from("[1]").toString("base64url")]) {
      expect(await refused({ q: "harbour", cursor })).toEqual(["cursor"]);
    }
    await sql`delete from search_walks`;
    expect(await refused({ q: "harbour", cursor: second.meta.next_cursor ?? "" })).toEqual(["cursor"]);
  });
});

test("how a query was read is said, and all bad parameters are refused with their names", async () => {
  expect((await ask({ q: "(harbour OR canal) -strike" })).meta.query).toBe("(harbour OR canal) -strike");
  expect(await refused({ histogram: "hour", tz: "Nowhere" })).toEqual(["tz"]);
  expect(await refused({ q: "x", facet: "lang" })).toEqual(["facet"]);
});

describe("an export", () => {
  test("says before its first row whether a part could not answer, as a search does", async () => {
    const state = async (query: string) =>
      (await service.app.request(`/search?${query}`)).headers.get("X-Search-State");
    for (const query of ["q=harbour", "q=harbour&format=csv", "format=jsonl"]) expect(await state(query)).toBe("whole");
    try {
      service.breakVectors(true);
      expect(await state("q=harbour&format=csv")).toBe("keyword-only");
      expect(await state("q=harbour&mode=bm25&format=csv")).toBe("whole");
    } finally {
      service.breakVectors(false);
    }
  });

  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const fetched = async (path: string, headers: Record<string, string> = {}) => {
    const response = await service.app.request(path, { headers });
    return {
      type: response.headers.get("Content-Type"),
      status: response.status,
      text: decoder.decode(await response.arrayBuffer()),
    };
  };

  test("has all hits, row by row, as the pages have them", async () => {
    const ids = await walk({ q: "harbour canal", mode: "hybrid", limit: "100" });
    const { type, text } = await fetched("/search?q=harbour%20canal&format=jsonl");
    expect(type).toBe("application/x-ndjson; charset=utf-8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ article_id }) => article_id)).toEqual(ids);
    const [first] = (await ask({ q: "harbour canal", limit: "1" })).results;
    expect(lines[0]).toEqual({ ...first, authors: expect.any(Array) });
    expect((await fetched("/search?lang=ar&format=jsonl&limit=3&offset=1")).text.trimEnd().split("\n")).toHaveLength(3);
  });

  test("goes on where a cursor stands", async () => {
    const ids = await walk({ lang: "en", limit: "100" });
    const first = await ask({ lang: "en", limit: "10" });
    const second = await ask({ lang: "en", limit: "10", cursor: first.meta.next_cursor ?? "" });
    for (const [from, { meta }] of [
      [10, first],
      [20, second],
    ] as const) {
      const { text } = await fetched(`/search?lang=en&format=csv&cursor=${meta.next_cursor}`);
      expect(
        text
          .trimEnd()
          .split("\r\n")
          .slice(1)
          .map((line) => Number(line.split(",")[0])),
      ).toEqual(ids.slice(from));
    }
  });

  test("as CSV opens in a spreadsheet, and runs nothing there", async () => {
    const titles = [
      "=cmd|' /C calc'!A0",
      "+1 harbourside",
      "-2 harbourside",
      "@SUM(A1)",
      "\tharbourside",
      'a "b", c\r\nd',
    ];
    const items = titles.map((title, i) =>
      testItem({ title, content: `harbourside ${i}. ${filler}`, authors: ["=1", "B"] }),
    );
    const ids = await admitItems(service.store, items);
    await service.keyword.upsert(keywordDocs(await service.store.articles.byIds(ids, KEYWORD_FIELDS), new Map()));
    const { type, text } = await fetched("/search?q=harbourside&mode=bm25", { Accept: "text/csv" });
    expect(type).toBe("text/csv; charset=utf-8");
    expect(
      text.startsWith("\ufeffarticle_id,doc_id,title,url,source,lang,category,authors,published_at,score,snippet\r\n"),
    ).toBe(true);
    const rows = text.slice(1).trimEnd().split("\r\n").slice(1);
    for (const row of rows) expect(row).not.toMatch(/(?:^|,)"?[=+@\t\r]/);
    expect(text).toContain(`"'=cmd|' /C calc'!A0"`);
    expect(text).toContain(`"'=1; B"`);
    expect(text).toContain('"a ""b"", c');
    expect(text).not.toContain("<mark>");
  });

  test("of a search that nobody reads on ends, and one with facets is refused", async () => {
    const response = await service.app.request("/search?format=jsonl");
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await fetched("/search?facets=lang", { Accept: "text/csv" })).status).toBe(422);
    expect((await fetched("/search?format=atom")).status).toBe(422);
  });
});

test("similar articles share words or meaning with one; itself and its copies are not among them", async () => {
  const [first = 0] = service.ids;
  const similar = async (query: string) => {
    const { body } = await service.get(`/similar/${first}?${query}`);
    return SimilarArticles.parse(body).results;
  };
  const results = await similar("limit=20&lang=en");
  expect(results).toHaveLength(20);
  expect(results.every(({ article_id, lang }) => article_id !== first && lang === "en")).toBe(true);
  const copy = at(results, 0).article_id;
  await sql`
    insert into copy_links (article_id, other_id, overlap, overlap_of_other, confidence)
    values (${first}, ${copy}, 1, 1, 1), (${copy}, ${first}, 1, 1, 1)`;
  expect((await similar("limit=20&lang=en")).map(({ article_id }) => article_id)).not.toContain(copy);
  expect((await service.get("/similar/999999")).status).toBe(404);
  expect((await service.get("/similar/none")).status).toBe(404);
});

test("an engine that does not know all hits says what it cannot count or order", async () => {
  const { survey } = service.keyword;
  try {
    service.keyword.survey = async (query) => {
      const { facets = [], histogram, list } = query;
      const lacking = ["total", ...facets, ...(histogram ? ["histogram"] : []), ...(list ? ["sort"] : [])];
      return { ...(await survey(query)), lacking };
    };
    const body = await ask({ q: "harbour", mode: "bm25", facets: "lang,entity", histogram: "day" });
    expect(body.meta.lacking?.toSorted()).toEqual(["entity", "histogram", "lang", "total"]);
    expect(body.results.length).toBeGreaterThan(0);
    expect([body.histogram, body.facets]).toEqual([undefined, {}]);
    expect((await ask({ q: "harbour", sort: "newest" })).meta.lacking).toEqual(["total", "sort"]);
  } finally {
    service.keyword.survey = survey;
  }
});
