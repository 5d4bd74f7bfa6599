import { expect, test } from "bun:test";
import { ENGINES, spread } from "./beside.ts";

const articles = Array.from({ length: 20 }, (_, i) => ({
  title: i % 2 === 0 ? `Harbour storm number ${i}` : `عاصفة في الميناء رقم ${i}`,
  text: `Article ${i} tells of boats and winds. المقال ${i} عن القوارب والرياح.`,
}));

test.each(Object.entries(ENGINES))("%s finds an article by its headline, in either script", async (name, build) => {
  const engine = await build(articles);
  expect(engine.name).toBe(name);
  for (const place of [4, 7]) expect((await engine.search(articles[place]?.title ?? ""))[0]).toBe(place);
  expect((await engine.search("boats")).length).toBe(10);
  expect(engine.fileBytes() > 0).toBe(name === "isnad");
  await engine.close();
});

test("spread() takes articles evenly, and makes more where there are too few, each other than all before", () => {
  expect(spread(articles, 5).map(({ title }) => title)).toEqual([0, 4, 8, 12, 16].map((i) => articles[i]?.title ?? ""));
  const more = spread(articles, 70);
  expect(more.slice(0, 20)).toEqual(articles);
  expect(new Set(more.map(({ title }) => title)).size).toBe(70);
});
