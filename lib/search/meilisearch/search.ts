import type { Meilisearch, MultiSearchQuery } from "meilisearch";
import { z } from "zod";
import { at, BoundedMap } from "../../std/mod.ts";
import { type AcrossTerms, acrossTerms } from "../keyword/cross-language.ts";
import type { QueryNode } from "../query-language/parse.ts";
import { type AnalysedQuery, analyseSearch, wordsOf } from "../keyword/query.ts";
import { type Candidate, CandidateRanker, type CollectionStatistics, termsOfQuery } from "../keyword/candidates.ts";
import type { KeywordHit, KeywordQuery } from "../keyword/types.ts";
import { encodeTerm, fieldExpression, filterExpressions, MOST_HITS } from "./document.ts";

/** Words of a query that the server looks at. */
const MOST_WORDS = 10;
/** Candidates of the query as a whole, and of each of its rarest terms alone. */
const WHOLE = 100;
const RAREST = 8;
const OF_EACH = 50;
/** Documents that hold the words of a phrase, or of a term of a field, at most. */
const MUST_HOLD = 1_000;
/** Documents whose mean length stands for that of all, and how long it does, in milliseconds. */
const SAMPLE = 1_000;
const STATISTICS_MS = 60_000;

const Hit = z.object({ id: z.number(), ft: z.string().optional(), fc: z.string().optional() });
const Result = z.object({ hits: z.array(Hit), estimatedTotalHits: z.number().optional() });
type Result = z.output<typeof Result>;

type MeiliSearchOptions = {
  client: Meilisearch;
  index: string;
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/**
 * Searches articles by word: the server proposes documents, ranked by our own measure. It ranks in steps and not by
 * weight, and looks at ten words; so what is proposed is the best of the whole query and of each of its rarest terms.
 */
export class MeiliKeywordSearch {
  readonly #options: MeiliSearchOptions;
  readonly #ranker = new CandidateRanker();
  readonly #frequencies = new BoundedMap<string, { count: number; at: number }>(20_000);
  #collection: { documents: number; inArabic: number; meanLength: number; at: number } | undefined;

  constructor(options: MeiliSearchOptions) {
    this.#options = options;
  }

  async search(query: KeywordQuery): Promise<KeywordHit[]> {
    const analysed = analyseSearch(query.text);
    if (analysed.stems.size + analysed.roots.size === 0) return [];
    const { title = 0, content = 0 } = query.fields ?? { title: 3, content: 1 };
    const attributes = [...(title > 0 ? ["title"] : []), ...(content > 0 ? ["content"] : [])];
    if (attributes.length === 0) return [];
    const across = acrossTerms(query.text);
    const statistics = await this.#statistics(termsOfQuery(query.text, across));
    const rarest = rarestOf([...analysed.stems.keys(), ...analysed.roots.keys()], statistics.withTerm);
    const translated = this.#translated(across, statistics, analysed);
    // An empty query would find everything.
    if (rarest.length + translated.length === 0) return [];
    const filter = [...(await filterExpressions(query, this.sourcesOf)), ...conjuncts(query.condition)];
    const shown = { filter, attributesToRetrieve: ["id", "ft", "fc"] };
    const common = { ...shown, attributesToSearchOn: attributes };
    const whole = withExcluded(rarest.slice(0, MOST_WORDS).map(encodeTerm), analysed);
    const mustHold = this.#mustHold(query, analysed);
    const inAny = rarest.length === 0 ? 0 : 1;
    const results = await this.#ask([
      { ...common, q: whole, limit: inAny * WHOLE, matchingStrategy: "frequency" },
      { ...common, q: whole, limit: inAny * query.limit, matchingStrategy: "frequency", attributesToRetrieve: ["id"] },
      ...translated.map((held) => ({ ...shown, attributesToSearchOn: attributes, ...held })),
      ...rarest
        .slice(0, RAREST)
        .map((term) => ({ ...common, q: withExcluded([encodeTerm(term)], analysed), limit: OF_EACH })),
      ...mustHold.map((held) => ({ ...common, ...held })),
    ]);
    const [first, all, ...others] = results;
    const proposed = candidatesOf([first, ...others].filter((result) => result !== undefined));
    const candidates = proposed.filter((candidate) => holdsTerm(candidate, query.term));
    const condition = await this.#resolved(query.condition, candidates);
    const ranked = this.#ranker.rank(candidates, { ...query, condition, limit: candidates.length }, statistics);
    // Of what was not looked at nobody knows whether it holds a phrase.
    const isStrict = condition !== undefined || mustHold.length > 0 || analysed.excludedPhrases.length > 0;
    return isStrict || all === undefined ? ranked.slice(0, query.limit) : withTail(ranked, all, query.limit);
  }

  /** Those of `articleIds` that an answer to the query may hold, in their order. */
  async allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]> {
    if (articleIds.length === 0) return [];
    const analysed = analyseSearch(query.text);
    const filter = await filterExpressions(query, this.sourcesOf);
    const common = { attributesToRetrieve: ["id", "ft", "fc"] };
    const results = await this.#ask([
      { ...common, q: "", filter: [...filter, `id IN [${articleIds.join(", ")}]`], limit: articleIds.length },
      ...this.#mustHold(query, analysed).map((held) => ({ ...common, filter, ...held })),
    ]);
    const candidates = candidatesOf(results).filter((candidate) => holdsTerm(candidate, query.term));
    const condition = await this.#resolved(query.condition, candidates);
    return this.#ranker.allowed(candidates, { ...query, condition }, articleIds);
  }

  /** Returns a condition with those of the candidates in place of each field, which the server alone knows. */
  async #resolved(condition: QueryNode | undefined, candidates: readonly Candidate[]): Promise<QueryNode | undefined> {
    if (condition === undefined || candidates.length === 0) return condition;
    const leaves = [...new Set(fieldsIn(condition))];
    const ids = candidates.map(({ articleId }) => articleId);
    const among = `id IN [${ids.join(", ")}]`;
    const results = await this.#ask(
      leaves.map((leaf) => ({ q: "", filter: [leaf, among], limit: ids.length, attributesToRetrieve: ["id"] })),
    );
    const keys = leaves.map((_, i) =>
      at(results, i)
        .hits.map(({ id }) => id)
        .sort((a, b) => a - b),
    );
    return withKeys(condition, new Map(leaves.map((leaf, i) => [leaf, at(keys, i)])));
  }

  /** The likeliest translations of a query's words, for documents in the other language; empty where there are none. */
  async translation(text: string): Promise<string> {
    const across = acrossTerms(text);
    const statistics = await this.#statistics(termsOfQuery(text, across));
    const queries = this.#translated(across, statistics, analyseSearch(""));
    const common = { attributesToRetrieve: ["id", "ft", "fc"], attributesToSearchOn: ["title", "content"] };
    const results = await this.#ask(queries.map((query) => ({ ...common, ...query })));
    return this.#ranker.translation(candidatesOf(results), text, statistics);
  }

  /** Searches for what holds words of the other language, together and each of the rarest. */
  #translated(
    across: AcrossTerms,
    { withTerm, withSound }: CollectionStatistics,
    analysed: AnalysedQuery,
  ): Pick<MultiSearchQuery, "q" | "limit" | "matchingStrategy" | "attributesToSearchOn">[] {
    const terms = rarestOf(across.stems, withTerm).map(encodeTerm);
    const sounds = rarestOf(across.sounds, withSound);
    const inSounds = { attributesToSearchOn: ["sounds"] };
    const queries = [
      { q: terms.slice(0, MOST_WORDS), limit: WHOLE },
      ...terms.slice(0, RAREST).map((term) => ({ q: [term], limit: OF_EACH })),
      { q: sounds.slice(0, MOST_WORDS), limit: WHOLE, ...inSounds },
      ...sounds.slice(0, RAREST).map((sound) => ({ q: [sound], limit: OF_EACH, ...inSounds })),
    ];
    return queries
      .filter(({ q }) => q.length > 0)
      .map(({ q, ...rest }) => ({ ...rest, q: withExcluded(q, analysed), matchingStrategy: "frequency" }));
  }

  /** Tells whether a search proposes every document that holds a word of the query. */
  async looksAtAll({ text }: Pick<KeywordQuery, "text">): Promise<boolean> {
    const { stems, roots } = analyseSearch(text);
    const across = acrossTerms(text);
    const { withTerm, withSound } = await this.#statistics(termsOfQuery(text, across));
    const own = [...stems.keys(), ...roots.keys()];
    return [
      { terms: own, counts: withTerm },
      { terms: across.stems, counts: withTerm },
      { terms: across.sounds, counts: withSound },
    ].every(
      ({ terms, counts }) =>
        rarestOf(terms, counts).length <= RAREST && terms.every((term) => (counts.get(term) ?? 0) <= OF_EACH),
    );
  }

  readonly sourcesOf = async (tier: number): Promise<string[]> =>
    [...(await this.#options.tiers())].flatMap(([source, its]) => (its === tier ? [source] : []));

  /** Searches for what holds all words of the phrases, and all of a term of a field. */
  #mustHold({ term }: Pick<KeywordQuery, "term">, { phrases }: AnalysedQuery): { q: string; limit: number }[] {
    const inField = term?.field === "title" || term?.field === "content" ? wordsOf(String(term.value)) : [];
    return [phrases.flat(), inField]
      .map((words) => [...new Set(words.flatMap(({ stems }) => stems))])
      .filter((stems) => stems.length > 0)
      .map((stems) => ({
        q: stems.slice(0, MOST_WORDS).map(encodeTerm).join(" "),
        ...{ matchingStrategy: "all", limit: MUST_HOLD },
      }));
  }

  /** Counts how many documents hold each term: asked for once in a while, each term alone. */
  async #statistics({ stems, roots, sounds }: ReturnType<typeof termsOfQuery>): Promise<CollectionStatistics> {
    const now = performance.now();
    const inText = [...stems, ...roots].map((term) => ({ term, query: { q: encodeTerm(term) } }));
    const inSounds = sounds.map((term) => ({ term, query: { q: term, attributesToSearchOn: ["sounds"] } }));
    // What a term is asked with is its name here: one of a sound could be a word.
    const terms = [...inText, ...inSounds].map((each) => ({ ...each, name: each.query.q }));
    const unknown = terms.filter(({ name }) => {
      const known = this.#frequencies.get(name);
      return known === undefined || now - known.at > STATISTICS_MS;
    });
    const counts = new Map(terms.map(({ name }) => [name, this.#frequencies.get(name)?.count ?? 0]));
    const isStale = this.#collection === undefined || now - this.#collection.at > STATISTICS_MS;
    const [results] = await Promise.all([
      this.#ask(
        unknown.map(({ query }) => ({ ...{ attributesToSearchOn: ["title", "content"] }, ...query, limit: 0 })),
      ),
      isStale ? this.#measure(now) : undefined,
    ]);
    unknown.forEach(({ name }, i) => {
      const count = at(results, i).estimatedTotalHits ?? 0;
      // What no document holds may come at any moment.
      if (count > 0) this.#frequencies.set(name, { count, at: now });
      counts.set(name, count);
    });
    const countsOf = (list: typeof terms) => new Map(list.map(({ term, name }) => [term, counts.get(name) ?? 0]));
    return {
      ...{ documents: 0, inArabic: 0, meanLength: 1, ...this.#collection },
      withTerm: countsOf(terms.slice(0, inText.length)),
      withSound: countsOf(terms.slice(inText.length)),
    };
  }

  async #measure(now: number): Promise<void> {
    const index = this.#options.client.index(this.#options.index);
    const [{ numberOfDocuments }, sample, [arabic]] = await Promise.all([
      index.getStats(),
      index.getDocuments({ fields: ["length"], limit: SAMPLE }),
      this.#ask([{ q: "", filter: ["arabic = true"], limit: 0 }]),
    ]);
    const lengths = z.array(z.object({ length: z.number() })).parse(sample.results);
    const sum = lengths.reduce((total, { length }) => total + length, 0);
    const meanLength = sum / Math.max(1, lengths.length) || 1;
    const inArabic = arabic?.estimatedTotalHits ?? 0;
    this.#collection = { documents: numberOfDocuments, inArabic, meanLength, at: now };
  }

  async #ask(queries: readonly Omit<MultiSearchQuery, "indexUid">[]): Promise<Result[]> {
    if (queries.length === 0) return [];
    const { results } = await this.#options.client.multiSearch({
      queries: queries.map((query) => ({
        ...query,
        limit: Math.min(query.limit ?? 0, MOST_HITS),
        indexUid: this.#options.index,
      })),
    });
    return z.array(Result).parse(results);
  }

  /** Forgets what it knows of the index as a whole. */
  changed(): void {
    this.#collection = undefined;
  }
}

/** Returns what a condition asks for of fields that the server can filter by, each a leaf of its tree. */
function* fieldsIn(node: QueryNode): Generator<string> {
  if (node.is === "field") {
    const leaf = fieldExpression(node.field, node.text);
    if (leaf !== undefined) yield leaf;
  } else if (node.is === "not") yield* fieldsIn(node.of);
  else if (node.is === "all" || node.is === "any") for (const each of node.of) yield* fieldsIn(each);
}

/** Returns the fields that every hit must have, as filters. */
function conjuncts(node: QueryNode | undefined): string[] {
  if (node?.is === "all") return node.of.flatMap(conjuncts);
  return node?.is === "field" ? [...fieldsIn(node)] : [];
}

function withKeys(node: QueryNode, keys: ReadonlyMap<string, readonly number[]>): QueryNode {
  switch (node.is) {
    case "field": {
      const leaf = fieldExpression(node.field, node.text);
      return leaf === undefined ? node : { is: "among", keys: keys.get(leaf) ?? [] };
    }
    case "not":
      return { is: "not", of: withKeys(node.of, keys) };
    case "all":
    case "any":
      return { is: node.is, of: node.of.map((each) => withKeys(each, keys)) };
    default:
      return node;
  }
}

/** The terms that documents hold, rare ones first. */
function rarestOf(terms: readonly string[], frequencies: ReadonlyMap<string, number>): string[] {
  return terms
    .map((term) => ({ term, count: frequencies.get(term) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .map(({ term }) => term);
}

/** Terms that are looked for, and words that must not be there; one of several stems is left to our own measure. */
function withExcluded(terms: readonly string[], { excludedWords }: AnalysedQuery): string {
  const out = excludedWords.flatMap(({ stems: [stem, ...more] }) =>
    stem === undefined || more.length > 0 ? [] : [stem],
  );
  return [...terms, ...out.map((stem) => `-${encodeTerm(stem)}`)].join(" ");
}

function candidatesOf(results: readonly Result[]): Candidate[] {
  const candidates = new Map<number, Candidate>();
  for (const { hits } of results) {
    for (const { id, ft, fc } of hits) {
      if (ft !== undefined && fc !== undefined) candidates.set(id, { articleId: id, title: ft, content: fc });
    }
  }
  return [...candidates.values()];
}

function holdsTerm({ title, content }: Candidate, term: KeywordQuery["term"]): boolean {
  if (term?.field !== "title" && term?.field !== "content") return true;
  const wanted = wordsOf(String(term.value)).flatMap(({ stems }) => stems);
  const held = new Set(wordsOf(term.field === "title" ? title : content).flatMap(({ stems }) => stems));
  return wanted.length > 0 && wanted.every((stem) => held.has(stem));
}

/** The documents that were ranked, then the others in the server's order, each worth a little less. */
function withTail(ranked: readonly KeywordHit[], { hits }: Result, limit: number): KeywordHit[] {
  const known = new Set(ranked.map(({ articleId }) => articleId));
  const rest = hits.filter(({ id }) => !known.has(id));
  const last = ranked.at(-1)?.score ?? 0;
  const tail = rest.map(({ id }, place) => ({ articleId: id, score: last * (1 - (place + 1) / (rest.length + 1)) }));
  return [...ranked, ...tail].slice(0, limit);
}
