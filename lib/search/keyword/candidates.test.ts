import { describe, expect, test } from "bun:test";
import { analysedText, CandidateRanker, type CollectionStatistics, formsText, termsOfQuery } from "./candidates.ts";
import { acrossTerms, soundToken } from "./cross-language.ts";
import { search } from "./search.ts";
import { TextIndex } from "./testing/memory.ts";
import { randomNumbers } from "./testing/random.ts";

describe("an analysed text", () => {
  test("has its words as written, their stems, and a sound once", () => {
    const { forms, stems, roots, sounds, terms, rooted } = analysedText("The Boats, the boat — 2018!");
    expect({ forms, stems, roots, terms, rooted }).toEqual({
      ...{ forms: "the boats the boat 2018", stems: "the boat the boat 2018", roots: "", terms: 5 },
      rooted: [false, false, false, false, false],
    });
    expect(new Set(sounds.split(" ")).size).toBe(sounds.split(" ").length);
  });

  test("has the sound of each word that has one, once, by its script", () => {
    const sounds = ["merkel", "ميركل"].map(soundToken);
    expect(analysedText("The Merkel, merkel 2018 — the ميركل").sounds).toBe(sounds.join(" "));
    expect([sounds[0]?.[0], sounds[1]?.[0], sounds[0]?.slice(1)]).toEqual(["l", "a", sounds[1]?.slice(1)]);
  });

  test("has the root of an Arabic word beside its stem, and counts both", () => {
    const { forms, roots, terms, rooted } = analysedText("كتاب من");
    expect(forms).toBe("كتاب من");
    expect(roots.split(" ")).toHaveLength(1);
    // A stop word has no root.
    expect([terms, rooted]).toEqual([3, [true, false]]);
  });

  test("of nothing is nothing", () => {
    for (const nothing of ["", " ", "؟!", "\u064b"]) {
      expect(analysedText(nothing)).toEqual({ forms: "", stems: "", roots: "", sounds: "", terms: 0, rooted: [] });
    }
  });

  test("keeps the words of one character together, so that blanks part words alone", () => {
    expect(formsText(["a b", "c"])).toBe("a_b c");
    expect(formsText([])).toBe("");
  });
});

const WORDS = "harbour boats fish town quiet reopens ميناء زلزال مدينة كتاب البركان تدريس دراسة 2018 the".split(" ");
const random = randomNumbers(55);
const text = (count: number) => Array.from({ length: random(count) }, () => WORDS[random(WORDS.length)]).join(" ");
const DOCUMENTS = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, title: text(4), content: text(25) }));
const index = new TextIndex(DOCUMENTS.slice(0, 50), DOCUMENTS.slice(50));

/** Returns what an engine would know of all documents for a query. */
function statisticsFor(query: string): CollectionStatistics {
  const { projection, words } = index;
  const { stems, roots } = termsOfQuery(query, acrossTerms(query));
  const holding = (term: string): [string, number] => [term, projection.documents[words.term(term)] ?? 0];
  return {
    documents: projection.count,
    inArabic: projection.segments.reduce((sum, { inArabic }) => sum + inArabic, 0),
    meanLength: projection.length / projection.count,
    withTerm: new Map([...stems, ...roots].map(holding)),
    withSound: new Map(),
  };
}

const proposed = DOCUMENTS.map(({ id, title, content }) => ({
  ...{ articleId: id, title: analysedText(title).forms, content: analysedText(content).forms },
}));

describe("candidates of an engine", () => {
  const ranker = new CandidateRanker();
  const own = (query: string, limit: number) => {
    const { articleIds, scores } = search(index.projection, index.words, { text: query, limit });
    return Array.from(articleIds, (articleId, i) => [articleId, scores[i]]);
  };
  const ranked = (query: string, limit: number, candidates = proposed) =>
    ranker
      .rank(candidates, { text: query, limit }, statisticsFor(query))
      .map(({ articleId, score }) => [articleId, score]);

  test.each([
    ...["harbour", "boats town", "quiet harbours reopen", "the", "كتاب", "تدريس المدينة", "earthquake"],
    ...["fish fish 2018", "harbour -fish", "zzzz", ""],
  ])("are ranked as the index ranks all documents: %j", (query) => {
    const all = own(query, 500);
    const asCandidates = ranked(query, 500);
    expect(asCandidates.map(([id]) => id)).toEqual(all.map(([id]) => id));
    asCandidates.forEach(([, score], i) => {
      expect(score).toBeCloseTo(all[i]?.[1] ?? 0, 4);
    });
  });

  test("have the scores of the whole where only those that hold a word are proposed", () => {
    for (const query of ["boats town", "كتاب"]) {
      const best = own(query, 10);
      const ids = new Set(best.map(([id]) => id));
      const few = proposed.filter(({ articleId }) => ids.has(articleId));
      const again = ranked(query, 10, few);
      expect(again.map(([id]) => id)).toEqual(best.map(([id]) => id));
      again.forEach(([, score], i) => {
        expect(score).toBeCloseTo(best[i]?.[1] ?? 0, 4);
      });
    }
  });

  test("are as many as are asked for, none of none, and the same when they are proposed again", () => {
    expect(ranked("boats", 3)).toEqual(ranked("boats", 500).slice(0, 3));
    expect(ranked("boats", 5, [])).toEqual([]);
    expect(ranked("boats", 9)).toEqual(ranked("boats", 9));
  });

  test("are translated by the likeliest words among them, and by nothing where there are none", () => {
    expect(ranker.translation(proposed, "earthquake", statisticsFor("earthquake"))).toBe("زلزال");
    expect(ranker.translation([], "earthquake", statisticsFor("earthquake"))).toBe("");
  });

  test("may be an answer where they hold the phrases, and nothing that is excluded", () => {
    const holding = (word: string) =>
      DOCUMENTS.filter(({ title, content }) => `${title} ${content}`.split(" ").includes(word)).map(({ id }) => id);
    const ids = DOCUMENTS.map(({ id }) => id);
    const fish = new Set(holding("fish"));
    expect(ranker.allowed(proposed, { text: "x -fish" }, ids)).toEqual(ids.filter((id) => !fish.has(id)));
    const phrase = DOCUMENTS.filter((each) => [each.title, each.content].some((field) => field.includes("boats fish")));
    expect(ranker.allowed(proposed, { text: '"boats fish"' }, ids)).toEqual(phrase.map(({ id }) => id));
    expect(ranker.allowed(proposed, { text: "x" }, [3, 999, 1])).toEqual([3, 1]);
    expect(ranker.allowed(proposed, { text: "x", condition: { is: "word", text: "fish" } }, ids)).toEqual([...fish]);
  });
});

test("spellings of a name count as often as all documents hold its sound, in the parts that candidates hold them", () => {
  const name = (id: number) => `${id % 5 === 0 ? "ماركل" : "ميركل"} كتاب`;
  const documents = Array.from({ length: 90 }, (_, i) => ({ id: i + 1, content: i < 20 ? name(i) : "كتاب المدينة" }));
  const { projection, words } = new TextIndex(documents);
  const own = search(projection, words, { text: "merkel", limit: 20 });
  // Ten of the twenty are proposed, and of both spellings half.
  const few = documents.slice(0, 10).map(({ id, content }) => ({ ...{ articleId: id, title: "" }, content }));
  const ranked = (holding: number) =>
    new CandidateRanker().rank(
      few,
      { text: "merkel", limit: 20 },
      {
        ...{ documents: 90, inArabic: 90, meanLength: projection.length / 90, withTerm: new Map() },
        withSound: new Map([[soundToken("ميركل"), holding]]),
      },
    );
  expect(ranked(20).map(({ articleId }) => articleId)).toEqual([...own.articleIds].filter((id) => id <= 10));
  expect(ranked(20)[0]?.score).toBeCloseTo(own.scores[0] ?? 0, 3);
  // The rarer a name, the more it is worth.
  expect(ranked(10)[0]?.score).toBeGreaterThan(ranked(40)[0]?.score ?? 0);
});

test("the terms of a query are each asked for once, with those of its other language", () => {
  const { stems, roots, sounds } = termsOfQuery("boats boat the كتاب", { stems: ["boat", "book"], sounds: ["l:k"] });
  expect(stems).toEqual(expect.arrayContaining(["boat", "the", "book"]));
  expect(new Set(stems).size).toBe(stems.length);
  expect([roots.length, sounds]).toEqual([1, ["l:k"]]);
});
