import { matchCopies, reportOf, STORY_RULES } from "@isnad/lib/stories";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { type ClaimDeps, storeClaims } from "@isnad/lib/claims";
import { extractiveSummarizer } from "@isnad/lib/answers";
import type { Embedder, OptionalModel, PassageReader, Tagger } from "@isnad/lib/models";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { ServiceClient } from "@isnad/lib/service/http";
import { type ArticleTexts, isAway, Times } from "./stages/run.ts";
import { analysis } from "./stages/analysis.ts";
import { entities } from "./stages/entities.ts";
import { ingestion } from "./stages/ingestion.ts";
import { relations } from "./stages/relations.ts";
import { rerank } from "./stages/rerank.ts";

/** Makes the stage `copies`: finds which articles share text with one, once it can be searched. */
export function copies({ store }: { store: Pick<Store, "copies"> }): Stage {
  return {
    name: "copies",
    after: "analysis",
    batch: 32,
    leaseS: 30,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    isAway,
    async run(items, { step }) {
      const times = new Times();
      // Not the texts cached for the other stages: what an article's source says now counts.
      const articles = await times.of("load", () => store.copies.texts(items.map(({ articleId }) => articleId)));
      const matched = await times.of("match", () => matchCopies(store, articles));
      const stored = await times.of("store", () => store.copies.put(matched, step));
      const links = matched.reduce((sum, each) => sum + each.links.length, 0);
      return { counts: { matched: stored.length, links, ...times.all() } };
    },
  };
}

/**
 * Makes the stage `stories`: puts articles into the stories of the events that they tell of, once it is known who and
 * what they name, and where the reranker reads articles beforehand, once it has read them.
 */
export function stories({ store, isRead = false }: { store: Pick<Store, "stories">; isRead?: boolean }): Stage {
  return {
    name: "stories",
    after: isRead ? "rerank" : "entities",
    batch: 32,
    leaseS: 30,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    isAway,
    async run(items, { step }) {
      const times = new Times();
      const texts = await times.of("load", () => store.stories.texts(items.map(({ articleId }) => articleId)));
      const reports = await times.of("read", async () => texts.map(reportOf));
      const counts = await times.of("place", () => store.stories.place(reports, STORY_RULES, step));
      return { counts: { ...counts, ...times.all() } };
    },
  };
}

/**
 * Makes the stage `claims`: keeps the sentences of articles that are worth a check, once their entities are found.
 * Without its models articles wait.
 */
export function claims(deps: ClaimDeps | undefined): Stage {
  return {
    name: "claims",
    after: "entities",
    batch: 16,
    leaseS: 120,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    version: deps?.models.classifier.modelId,
    run:
      deps &&
      (async (items, { signal, step }) => {
        const ids = items.map(({ articleId }) => articleId);
        return { counts: await storeClaims(deps, ids, { signal, step }) };
      }),
  };
}

type SummaryDeps = {
  store: Pick<Store, "articles">;
  /** Without an embedder articles wait. */
  embedder: Pick<Embedder, "embed"> | undefined;
};

/** Makes the stage `summary`: the built-in summary of medium length, in the language of the article. */
export function summary({ store, embedder }: SummaryDeps): Stage {
  const summarizer = embedder && extractiveSummarizer(embedder, undefined);
  return {
    name: "summary",
    after: "analysis",
    batch: 16,
    leaseS: 60,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    run:
      summarizer &&
      (async (items, { signal, step }) => {
        const ids = items.map(({ articleId }) => articleId);
        const summaries = new Map<number, string>();
        // One at a time: the sentences of a whole batch are more than the model lets wait.
        for (const { articleId, content, lang } of await store.articles.byIds(ids, ["articleId", "content", "lang"])) {
          const language = lang ?? "und";
          const call = { text: content, sourceLang: language, targetLang: language, length: "medium" as const, signal };
          summaries.set(articleId, (await summarizer.summarize(call)).join(" "));
        }
        await store.articles.putSummaries(summaries, step);
        return { counts: { summaries: summaries.size } };
      }),
  };
}

type StageParts = {
  store: Store;
  texts: ArticleTexts;
  taxonomy: Taxonomy;
  /** Without an embedder, articles are found by word alone; their passages follow once there is one. */
  embedder: Embedder | undefined;
  /** Finds entities; without a tagger articles wait. */
  tagger: Pick<Tagger, "tag" | "modelId"> | undefined;
  /** Reads articles for the reranker. Left out: none are read. Without a usable model: they wait. */
  reader: OptionalModel<Pick<PassageReader, "read" | "modelId">> | undefined;
  /** The linguistic service, which finds relations in Arabic articles; none are found when left out. */
  nlp: Pick<ServiceClient, "post"> | undefined;
  /** Holds what finds claims. Left out: none are found. Without its models articles wait. */
  claims?: { deps: ClaimDeps | undefined } | undefined;
  /** Tells whether articles get a summary. */
  summarize: boolean;
  /** Runs at a time of the stages that a reader waits for. */
  concurrency: number;
};

/** Lists the stages of an article: each a file, and here a line. What a reader waits for comes first. */
export function stagesOf(parts: StageParts): Stage[] {
  const { nlp, reader, summarize } = parts;
  // Stories are told apart by names and by what the reranker read: one after the other, where both can run.
  const isRead = reader?.model !== undefined && parts.tagger !== undefined;
  return [
    ingestion(parts),
    analysis(parts),
    entities(parts),
    copies(parts),
    stories({ ...parts, isRead }),
    ...(reader === undefined ? [] : [rerank({ ...parts, reader, after: isRead ? "entities" : "analysis" })]),
    ...(parts.claims === undefined ? [] : [claims(parts.claims.deps)]),
    ...(nlp === undefined ? [] : [relations({ ...parts, nlp })]),
    ...(summarize ? [summary(parts)] : []),
  ];
}
