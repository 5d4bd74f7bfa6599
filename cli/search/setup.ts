import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import { setUpEngines } from "@isnad/lib/search";
import { openProjections } from "./reindex.ts";

/** `search:setup` (also `opensearch:setup`): creates what searches need. */
export const searchSetup = defineCommand({
  name: "search:setup",
  summary: "Creates the keyword and vector indexes and their settings; what is there already stays.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {},
  details: `The database's schema is brought up to date, the keyword index created when it is missing, of another version or
damaged, and the embedding model checked. The services do the same when they start. In an OpenSearch cluster the template
of all indexes is put as well, and the policy of their lifecycle where the cluster knows such policies.`,
  async run(_input, { env, json, stdout }) {
    await using projections = await openProjections(env);
    const { keyword, store, config } = projections;
    const embedder = await projections.embedder();
    const { documents } = await keyword.status();
    const { chunks } = await store.chunks.counts(embedder.modelId);
    const { engines } = config;
    const { modelId, dims } = embedder;
    const cluster = await setUpEngines({ engines, store, modelId, dims });
    const result = {
      engines: { keyword: engines.keyword.engine, vectors: engines.vectors.engine },
      ...(cluster !== undefined && { cluster }),
      index: config.search.index,
      keyword: { created: keyword.fresh, documents },
      vector: { field: config.search.vectorField, model: embedder.modelId, dims: embedder.dims, passages: chunks },
    };
    if (json) writeJson(stdout, result);
    else {
      stdout.write(
        `${[
          `engines        ${engines.keyword.engine} by word, ${engines.vectors.engine} by meaning`,
          ...(cluster === undefined
            ? []
            : [
                `cluster        template ${cluster.template}, lifecycle ${cluster.lifecycle ? "set" : "not available there"}`,
              ]),
          `keyword index  ${keyword.fresh ? "created" : "there"}, ${documents} documents`,
          `vector index   model ${embedder.modelId}, ${embedder.dims} dimensions, ${chunks} passages`,
        ].join("\n")}\n`,
      );
    }
    return 0;
  },
});
