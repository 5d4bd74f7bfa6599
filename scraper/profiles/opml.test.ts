import { expect, test } from "bun:test";
import { createTaxonomy } from "@isnad/lib/service/config";
import { readOpml, writeOpml } from "@isnad/lib/web/feeds";
import { profileFile } from "../testing/profiles.ts";
import { draftsOf, opmlOf } from "./opml.ts";
import { createProfileSchema } from "./schema.ts";

const taxonomy = createTaxonomy({ version: "1", categories: ["politics", "sport"], labels: {} });
const drafts = (body: string, isFree: (name: string) => boolean = () => true) =>
  draftsOf(readOpml(`<opml version="2.0"><body>${body}</body></opml>`).feeds, { taxonomy, isFree, now: 0 });

test("the feeds of one site and language become one disabled profile", () => {
  const body = `<outline text="Sport"><outline text="الورق - رياضة" xmlUrl="https://www.paper.eg/rss/sport" htmlUrl="https://www.paper.eg/"/></outline>
    <outline text="الورق" xmlUrl="https://feeds.paper.eg/all" htmlUrl="https://www.paper.eg/"/>
    <outline text="The Paper" language="en-GB" xmlUrl="https://www.paper.eg/en.xml" category="/news/Politics"/>`;
  expect(drafts(body)).toEqual([
    {
      $schema: "./profile.schema.json",
      name: "paper-ar",
      provider: "paper-ar",
      enabled: false,
      language: "ar",
      schedule: "*/30 * * * *",
      timezone: "Africa/Cairo",
      source: { id: "paper-ar", name: "الورق", tier: 3, homepage: "https://www.paper.eg/" },
      feeds: [{ url: "https://www.paper.eg/rss/sport", category: "sport" }, { url: "https://feeds.paper.eg/all" }],
    },
    expect.objectContaining({
      name: "paper-en",
      language: "en",
      feeds: [{ url: "https://www.paper.eg/en.xml", category: "politics" }],
    }),
  ]);
});

test("a name that is taken gets a number, and one that is no name becomes one", () => {
  const body = `<outline text="A" xmlUrl="https://a.example/1"/><outline xmlns:isnad="x" text="B" isnad:profile="No Name!" xmlUrl="https://b.example/1"/>`;
  expect(drafts(body, (name) => name !== "a-en").map(({ name }) => name)).toEqual(["a-en-2", "no-name"]);
});

test("what is exported comes back with its name, source and tier", () => {
  const schema = createProfileSchema(taxonomy.categories);
  const profiles = ["alpha", "beta"].map((name) =>
    schema.parse(
      profileFile({
        name,
        feeds: [{ url: `https://${name}.test/1` }, { url: `https://${name}.test/2`, category: "sport" }],
      }),
    ),
  );
  const back = draftsOf(readOpml(writeOpml({ title: "", feeds: opmlOf(profiles) })).feeds, {
    taxonomy,
    isFree: () => true,
    now: 0,
  });
  expect(back).toMatchObject(profiles.map(({ name, provider, source, feeds }) => ({ name, provider, source, feeds })));
});
