import { afterAll, describe, expect, test } from "bun:test";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { queryTerms } from "@isnad/lib/text";
import { createDocuments, type Document, type Documents } from "../documents.ts";
import { testKeys } from "../testing.ts";
import { earlyDocuments, marksFor } from "./passages.ts";

const { store, close } = await testStore();
afterAll(close);

const titles = ["Harbour one", "Harbour two", "Harbour three"];
const ids = await admitItems(
  store,
  titles.map((title) => testItem({ title })),
);
const [first = 0, second = 0, third = 0] = await testKeys(store, ids);

describe("earlyDocuments()", () => {
  test("asks for each document once, and gives those that are asked for", async () => {
    const asked: number[][] = [];
    const real = createDocuments(store.articles);
    const counted: Documents = {
      byKeys(ids, options) {
        asked.push([...ids]);
        return real.byKeys(ids, options);
      },
    };
    const visited: Document[] = [];
    const early = earlyDocuments(counted, (document) => void visited.push(document));
    early.begin([first, second]);
    const found = await early.byKeys([second, third]);
    expect(asked).toEqual([[first, second], [third]]);
    expect(found.map(({ title }) => title).toSorted()).toEqual(["Harbour three", "Harbour two"]);
    expect((await early.byKeys([first])).map(({ title }) => title)).toEqual(["Harbour one"]);
    expect(asked).toHaveLength(2);
    expect(visited.map(({ key }) => key).toSorted()).toEqual([first, second].toSorted());
  });

  test("asks as it is asked where nothing was begun", async () => {
    const early = earlyDocuments(createDocuments(store.articles), () => {});
    expect(await early.byKeys([first, third])).toHaveLength(2);
  });

  test("what fails early fails for who needs it, and for nobody else", async () => {
    const failing: Documents = { byKeys: () => Promise.reject(new Error("away")) };
    const early = earlyDocuments(failing, () => {});
    early.begin([first]);
    await Bun.sleep(1);
    await expect(early.byKeys([first])).rejects.toThrow("away");
  });
});

test("marksFor() marks a document once", async () => {
  const [document] = await createDocuments(store.articles).byKeys([first]);
  if (document === undefined) throw new Error("no document");
  const marks = marksFor(() => queryTerms("harbour"));
  expect(marks.ms()).toBe(0);
  const marked = marks.of(document);
  expect(marked.inTitle.fragments).toEqual(["<mark>Harbour</mark> one"]);
  expect(marks.of(document)).toBe(marked);
});
