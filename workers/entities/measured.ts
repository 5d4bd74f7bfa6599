import { modelName, type Tagger } from "@isnad/lib/models";
import type { ClassifyMetrics } from "@isnad/lib/service/process";

/** The tagger, each call of which is counted and timed as a classification. */
export function measured(
  tagger: Pick<Tagger, "tag" | "modelId">,
  metrics: ClassifyMetrics,
): Pick<Tagger, "tag" | "modelId"> {
  const upstream = modelName(tagger.modelId);
  return {
    modelId: tagger.modelId,
    tag: (texts, signal) => metrics.measure("entities", upstream, () => tagger.tag(texts, signal)),
  };
}
