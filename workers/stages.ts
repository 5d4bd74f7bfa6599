import type { ClaimDeps } from "@isnad/lib/claims";
import type { Embedder, OptionalModel, PassageReader, Tagger } from "@isnad/lib/models";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { ServiceClient } from "@isnad/lib/service/http";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { analysis } from "./stages/analysis.ts";
import { copies } from "./stages/copies.ts";
import { entities } from "./stages/entities.ts";
import { claims } from "./stages/claims.ts";
import { ingestion } from "./stages/ingestion.ts";
import { relations } from "./stages/relations.ts";
import { rerank } from "./stages/rerank.ts";
import { stories } from "./stages/stories.ts";
import { summary } from "./stages/summary.ts";
import type { ArticleTexts } from "./stages/run.ts";

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
