import { InferenceError, type ModelCard, openRegistry } from "@isnad/lib/models";
import { type Config, VERSION } from "@isnad/lib/service/config";
import {
  AppError,
  type Component,
  createLimiters,
  createService,
  remoteKeys,
  type Service,
} from "@isnad/lib/service/http";
import type { Logger, Registry } from "@isnad/lib/service/process";
import { assertThreadsRun, ThreadError } from "@isnad/lib/service/threads";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";
import { SHIPPED } from "../../lib/arabic/dialect/answer.ts";
import { importedHead, importedPath } from "../../lib/arabic/dialect/corpus.ts";
import { DIALECT_MODEL } from "../../lib/arabic/dialect/identify.ts";
import { MODEL } from "../../lib/arabic/morphology/model.ts";
import { RE_MODEL } from "../../lib/arabic/relations/answer.ts";
import type { Senses } from "../../lib/arabic/senses/answer.ts";
import { SENSES_EMBEDDER, SENSES_MODEL } from "../../lib/arabic/senses/sense-vectors.ts";
import type { Analysers } from "./analysis.ts";
import type { EntityFinder } from "./models.ts";
import { addAnalyse } from "./routes/analyse.ts";
import { addDialect, addIdentify } from "./routes/dialect.ts";
import { addLemmas, addMorph } from "./routes/morph.ts";
import { addNer } from "./routes/ner.ts";
import { addRelations } from "./routes/re.ts";
import { addWsd } from "./routes/wsd.ts";

/**
 * Returns the models and lexicons that answers come from, for health; a model whose card cannot be read is left out. An
 * imported corpus of dialect stands in place of the one that ships.
 */
export function components(
  registry: Pick<ReturnType<typeof openRegistry>, "list">,
  dataDir: string,
): Record<string, Component> {
  const imported = importedHead(importedPath(dataDir));
  const cards = registry.list().flatMap(({ card }) => (card !== undefined && isOurs(card) ? [card] : []));
  const models = cards.map(({ name, revision, licence }) => {
    return [name, { kind: "model" as const, version: revision, licence }] as const;
  });
  return {
    ...Object.fromEntries(models),
    "camel-morph-msa": { kind: "lexicon", version: "lrec-coling2024", licence: "CC BY 4.0" },
    "unicode-cldr": { kind: "lexicon", version: "2024", licence: "Unicode License v3" },
    "isnad-senses": { kind: "lexicon", version: VERSION, licence: "Apache-2.0" },
    ...(imported === undefined
      ? { [SHIPPED]: { kind: "lexicon" as const, version: VERSION, licence: "Apache-2.0" } }
      : { [imported.corpus]: { kind: "lexicon", version: imported.sha256.slice(0, 12), licence: imported.licence } }),
  };
}

/** The models that this service reads: of words, relations, senses and dialects, and the tagger with its pieces. */
const isOurs = ({ name, task }: ModelCard): boolean =>
  [MODEL, RE_MODEL, DIALECT_MODEL, SENSES_MODEL, SENSES_EMBEDDER].includes(name) || task === "tag" || task === "pieces";

type LinguisticDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  analysers: Analysers;
  senses: Senses;
  entities: EntityFinder;
};

/**
 * Requests of one route that are worked on at a time. Further ones wait by client, and are refused as soon as their
 * wait would be too long: what one route has too much of delays no other.
 */
const ROUTE_CONCURRENCY = 4;

/** Kind of calls that wait for no route. */
const HEALTH = "health";

/** Makes the linguistic service over its dependencies. */
export function createApp({ config, logger, metrics, analysers, senses, entities }: LinguisticDeps): Service {
  const registry = openRegistry({ dataDir: config.dataDir });
  const service = createService({
    name: "nlp",
    version: VERSION,
    description:
      "Takes Arabic text apart: words, their lemmas, parts of speech, roots and clitics; their senses; entities; events and who takes part in them; sentences in dialect.",
    config,
    logger,
    metrics,
    classify,
    access: { keys: remoteKeys(config) },
    healthPaths: ["/health", "/healthz"],
    components: () => components(registry, config.dataDir),
    deps: {
      morphology: {
        check: (signal) => analysers.call("morph", { text: "كتب", all: false }, { signal, kind: HEALTH }),
        critical: false,
      },
      dialect: {
        check: (signal) => analysers.call("sentence", { id: 0, fuzzy: false }, { signal, kind: HEALTH }),
        critical: false,
      },
      dialects: {
        check: (signal) => analysers.call("identify", "كتب", { signal, kind: HEALTH }),
        critical: false,
      },
      entities: { check: (signal) => entities.check({ kind: HEALTH, signal }), critical: false },
      relations: {
        check: (signal) => analysers.call("relations", { text: "كتب", entities: [] }, { signal, kind: HEALTH }),
        critical: false,
      },
      senses: { check: async () => [senses.inventory(), senses.chooser()], critical: false },
      threads: { check: async () => assertThreadsRun({ analysis: analysers.state() }), critical: false },
    },
  });
  const limiters = createLimiters(metrics, config.limits);
  const limiter = (route: string) => limiters(route, ROUTE_CONCURRENCY);
  service.app.use(service.access.read());
  addAnalyse(service.app, { analysers, entities, senses, limiter: limiter("analyse") });
  addMorph(service.app, { analysers, limiter: limiter("morph") });
  addNer(service.app, { entities, limiter: limiter("ner") });
  addWsd(service.app, { analysers, limiter: limiter("wsd"), senses });
  addRelations(service.app, { analysers, entities, limiter: limiter("re") });
  const ofDialect = limiter("dialect");
  addDialect(service.app, { analysers, limiter: ofDialect });
  addIdentify(service.app, { analysers, limiter: ofDialect });
  addLemmas(service.app, { analysers });
  return service;
}

/** Returns a thread that could not open its files is the route's fault, not the request's. */
function classify(error: unknown): AppError | undefined {
  const isKnown = error instanceof ThreadError || error instanceof PartUnavailable || error instanceof InferenceError;
  if (!isKnown) return undefined;
  return new AppError("service-unavailable", `The analysis cannot answer now: ${error.message}`, {
    cause: error,
  });
}
