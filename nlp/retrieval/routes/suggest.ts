import { SuggestBody, type Suggestion, SuggestParams } from "@isnad/lib/contract";
import { createRoute, type HttpEnv, type Limiter, type OpenAPIHono, problems } from "@isnad/lib/service/http";
import { articleIdOfKey, articleKey, type Store } from "@isnad/lib/store";
import { analyse, nameKey, wordTerms } from "@isnad/lib/text";
import type { RetrievalDeps } from "../deps.ts";

/** Shares of the suggestions that entities and words have, while there are titles for the rest. */
const ENTITY_SHARE = 0.4;
const WORD_SHARE = 0.3;

/** The parts of the service that suggestions come from. */
type SuggestDeps = Pick<RetrievalDeps, "keyword"> & {
  store: { articles: Pick<RetrievalDeps["store"]["articles"], "byIds"> };
  names: EntityNames;
};

/**
 * Suggests what somebody who has typed `q` may be after: entities that are named most, words that the last one may
 * become, and titles. Each text stands once, written as an article writes it.
 */
async function suggest({ keyword, store, names }: SuggestDeps, { q, limit }: SuggestParams): Promise<Suggestion[]> {
  const [{ titles, words }, entities] = await Promise.all([keyword.suggest({ q, limit }), names.beginning(q, limit)]);
  const ids = [...titles, ...words].map(({ articleId }) => articleIdOfKey(articleId));
  const rows = ids.length === 0 ? [] : await store.articles.byIds([...new Set(ids)], ["articleId", "docId", "title"]);
  const byKey = new Map(rows.map((row) => [articleKey(row.articleId, row.docId), row]));
  const begun = /\S*$/.exec(q.trimEnd())?.[0] ?? "";
  const before = q.trimEnd().slice(0, q.trimEnd().length - begun.length);
  const asEntities = entities.map(({ name, entityId, articles }): Suggestion => {
    return { text: name, kind: "entity", entity_id: entityId, count: articles };
  });
  const asWords = words.map(({ form, articleId, count }): Suggestion => {
    return { text: before + writtenAs(form, byKey.get(articleId)?.title), kind: "word", count };
  });
  const asTitles = titles.flatMap(({ articleId }): Suggestion[] => {
    const row = byKey.get(articleId);
    return row === undefined ? [] : [{ text: row.title, kind: "title", article_id: row.articleId, count: 1 }];
  });
  return once(shared({ asEntities, asWords, asTitles }, limit));
}

/** Returns a form as the title of an article writes it; as it is where that one is gone. */
function writtenAs(form: string, title: string | undefined): string {
  const stem = wordTerms(form).stems[0];
  const tokens = title === undefined ? [] : analyse(title);
  const token = tokens.find(({ terms }) => terms.form === form) ?? tokens.find(({ terms }) => terms.stems[0] === stem);
  return token?.text ?? form;
}

function shared(
  kinds: Readonly<Record<"asEntities" | "asWords" | "asTitles", readonly Suggestion[]>>,
  limit: number,
): Suggestion[] {
  const { asEntities, asWords, asTitles } = kinds;
  const entities = asEntities.slice(0, Math.max(1, Math.round(limit * ENTITY_SHARE)));
  const words = asWords.slice(0, Math.max(1, Math.round(limit * WORD_SHARE)));
  const titles = asTitles.slice(0, Math.max(0, limit - entities.length - words.length));
  const rest = [...asEntities.slice(entities.length), ...asWords.slice(words.length), ...asTitles.slice(titles.length)];
  return [...entities, ...words, ...titles, ...rest].slice(0, limit);
}

function once(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = text.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** GET /suggest: the suggestions that `GET /v1/suggest` of the API serves. */
export function addSuggest(app: OpenAPIHono<HttpEnv>, deps: SuggestDeps & { limiter: Limiter }): void {
  app.openapi(route, async (c) => {
    const params = c.req.valid("query");
    const { signal } = c.req.raw;
    const suggestions = await deps.limiter.run(() => suggest(deps, params), { signal, client: c.var.client });
    return c.json({ suggestions }, 200);
  });
}

const route = createRoute({
  method: "get",
  path: "/suggest",
  operationId: "suggestBranches",
  tags: ["retrieval"],
  summary: "What somebody may be about to type",
  description:
    "Titles, names of entities and words that go on from what was typed, in either script. An index in OpenSearch or Meilisearch suggests entities alone.",
  request: { query: SuggestParams },
  responses: {
    200: { description: "Suggestions, likeliest first.", content: { "application/json": { schema: SuggestBody } } },
    ...problems("validation-error", "overloaded", "service-unavailable"),
  },
});

/** Articles among which names are counted, and the most named that are held. */
const AMONG_ARTICLES = 50_000;
const MAX_NAMES = 20_000;
/** Time that names are held before they are read again, in milliseconds. */
const REFRESH_MS = 300_000;
/** Names that begin alike and are compared: they are held by name, not by how often they are named. */
const MAX_ALIKE = 5_000;

type NamedEntity = Awaited<ReturnType<Store["entities"]["mostNamed"]>>[number];

/** A name by one of its words and those behind it. */
type Entry = { begin: string; entity: NamedEntity };

/** The names that articles of late have most, by how any of their words begins. */
type EntityNames = {
  /** Returns the entities with a word that begins so, most named first. Waits for names only the first time. */
  beginning(text: string, limit: number): Promise<NamedEntity[]>;
};

/** Holds the most named entities; they are read again in the background when they are asked for after a while. */
export function createEntityNames(entities: Pick<Store["entities"], "mostNamed">): EntityNames {
  let entries: Promise<readonly Entry[]> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<readonly Entry[]> => {
    const named = await entities.mostNamed({ among: AMONG_ARTICLES, limit: MAX_NAMES });
    return named.flatMap(entriesOf).sort((a, b) => (a.begin < b.begin ? -1 : 1));
  };
  return {
    async beginning(text, limit) {
      const key = nameKey(text);
      if (key === "") return [];
      if (performance.now() - readAt > REFRESH_MS) {
        readAt = performance.now();
        const before = entries;
        const next = read();
        next.then(
          () => {
            entries = next;
          },
          () => {
            entries = before;
            readAt = Number.NEGATIVE_INFINITY;
          },
        );
        entries = before ?? next;
      }
      return mostNamedOf(await (entries ?? []), key, limit);
    },
  };
}

function entriesOf(entity: NamedEntity): Entry[] {
  const starts = [0, ...Array.from(entity.key.matchAll(/ /g), ({ index }) => index + 1)];
  return starts.map((start) => ({ begin: entity.key.slice(start), entity }));
}

function mostNamedOf(entries: readonly Entry[], key: string, limit: number): NamedEntity[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.begin ?? "") < key) low = middle + 1;
    else high = middle;
  }
  const alike = new Set<NamedEntity>();
  for (let i = low; i < low + MAX_ALIKE; i++) {
    const entry = entries[i];
    if (entry === undefined || !entry.begin.startsWith(key)) break;
    alike.add(entry.entity);
  }
  return [...alike].sort((a, b) => b.articles - a.articles || a.entityId - b.entityId).slice(0, limit);
}
