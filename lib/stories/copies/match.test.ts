import { describe, expect, test } from "bun:test";
import type { CurrentText } from "../../store/mod.ts";
import { memoryCopies } from "../testing.ts";
import { matchCopies } from "./match.ts";

/** Returns words that no other text has. */
const words = (of: string, count: number): string => Array.from({ length: count }, (_, i) => `${of}${i}q`).join(" ");

const article = (articleId: number, content: string, fields: Partial<CurrentText> = {}): CurrentText => ({
  articleId,
  revision: 1,
  title: words(`title${articleId}`, 6),
  content,
  lang: "en",
  sourceId: `s${articleId}`,
  domain: `s${articleId}.example`,
  publishedAt: null,
  createdAt: "2024-01-01T00:00:00.000Z",
  ...fields,
});

/** Matches articles one after the other, and returns what joins them. */
async function matched(texts: readonly CurrentText[], batch = 1) {
  const store = memoryCopies(texts);
  for (let at = 0; at < texts.length; at += batch)
    await store.copies.put(await matchCopies(store, texts.slice(at, at + batch)));
  const pairs = [...store.links.values()].map(({ articleId, otherId }) => `${articleId} ${otherId}`);
  return { store, pairs: pairs.sort(), links: [...store.links.values()] };
}

const REPORT = words("report", 200);

describe("matchCopies", () => {
  test("finds a text that lost its beginning, and a brief, by either share", async () => {
    const third = REPORT.split(" ").slice(70).join(" ");
    const brief = REPORT.split(" ").slice(40, 80).join(" ");
    const { links } = await matched([article(1, REPORT), article(2, third), article(3, brief)]);
    const shares = new Map(links.map((link) => [`${link.articleId} ${link.otherId}`, link]));
    expect(shares.get("1 2")).toMatchObject({ overlap: 0.65, overlapOfOther: 1 });
    expect(shares.get("1 3")).toMatchObject({ overlap: 0.2, overlapOfOther: 1 });
    // Ten words that both have are too few.
    expect(shares.has("2 3")).toBe(false);
  });

  test("finds the same whether articles come one by one or together, and in any order", async () => {
    const texts = [article(1, REPORT), article(2, `${REPORT} ${words("more", 30)}`), article(3, words("other", 90))];
    const { pairs } = await matched(texts);
    expect(pairs).toEqual(["1 2"]);
    expect((await matched(texts, 3)).pairs).toEqual(pairs);
    expect((await matched(texts.toReversed())).pairs).toEqual(pairs);
  });

  test("texts of one form with other numbers, by one paper, make no link", async () => {
    const form = (day: number) =>
      [11, 23, 37, 41, 53, 67].map(
        (n, i) => `${words(`place${i}`, 6)} ${n + day} ${words(`degrees${i}`, 6)} ${n - day}`,
      );
    const texts = [1, 2, 3].map((day) => article(day, form(day).join(" "), { sourceId: "weather" }));
    expect((await matched(texts)).pairs).toEqual([]);
  });

  test("an ending that unrelated articles share joins none of them, even those that came before it was known", async () => {
    const ending = words("follow", 34);
    const texts = Array.from({ length: 12 }, (_, i) => article(i + 1, `${words(`own${i}x`, 40)} ${ending}`));
    const { store } = await matched(texts);
    for (let round = 0; round < 9 && store.again.size > 0; round++) {
      const ids = [...store.again];
      store.again.clear();
      for (const id of ids)
        await store.copies.put(
          await matchCopies(
            store,
            texts.filter((text) => text.articleId === id),
          ),
        );
    }
    expect([...store.links.keys()]).toEqual([]);
  });

  test("a report that twenty papers took over is no ending: all are joined to it", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => article(i + 1, `${REPORT} ${words(`own${i}x`, 12)}`));
    const { links } = await matched(texts);
    expect(links.filter(({ articleId }) => articleId === 1)).toHaveLength(19);
  });

  test("a text that became another one is joined to what it shares now alone", async () => {
    const texts = [article(1, REPORT), article(2, REPORT), article(3, words("other", 120))];
    const { store, pairs } = await matched(texts);
    expect(pairs).toEqual(["1 2"]);
    await store.copies.put(await matchCopies(store, [article(2, words("other", 120), { revision: 2 })]));
    expect([...store.links.keys()]).toEqual(["2 3"]);
  });

  test("what sixty articles carry is stored with the last ones no more, and still finds them", async () => {
    const brief = words("brief", 40);
    const texts = Array.from({ length: 60 }, (_, i) => article(i + 1, brief));
    const { store, links } = await matched(texts, 12);
    const [last] = await matchCopies(store, texts.slice(-1));
    expect(last?.anchors).toHaveLength(0);
    expect(links.some(({ articleId, otherId }) => articleId === 60 || otherId === 60)).toBe(true);
  });

  test("a text of a few words, or of none, is read and joined to nothing", async () => {
    const texts = [article(1, ""), article(2, "one two three four"), article(3, "one two three four")];
    const { pairs } = await matched(texts);
    expect(pairs).toEqual([]);
  });
});

test("what is left of a report in one long passage joins; as many words here and there by one form do not", async () => {
  const kept = words("kept", 18);
  const rest = (of: string) => words(of, 20);
  const long = [article(1, `${rest("a")} ${kept} ${rest("b")}`), article(2, `${rest("c")} ${kept} ${rest("d")}`)];
  expect((await matched(long)).pairs).toEqual(["1 2"]);
  const parts = [0, 9].map((from) =>
    kept
      .split(" ")
      .slice(from, from + 9)
      .join(" "),
  );
  const apart = (of: string, order: readonly number[]) => order.map((at) => `${words(`${of}${at}`, 12)} ${parts[at]}`);
  const short = [article(1, apart("a", [0, 1]).join(" ")), article(2, apart("b", [1, 0]).join(" "))];
  expect((await matched(short)).pairs).toEqual([]);
});
