import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { setUpEngines } from "@isnad/lib/search";
import { followRemote } from "@isnad/lib/search/sync";
import { createLogger } from "@isnad/lib/service/process";
import { openProjections } from "./reindex.ts";

const POLL_MS = 100;

/** `search:setup` (also `opensearch:setup`): creates what searches need. */
export const searchSetup = defineCommand({
  name: "search:setup",
  summary: "Creates the keyword and vector indexes and their settings; what is there already stays.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {},
  details: `The database's schema is brought up to date, indexes in engines of other processes are made and filled when they are missing
or of another version, and the embedding model is checked. The services do the same when they start; the embedded indexes are
made by the service that searches them. In an OpenSearch cluster the template
of all indexes is put as well, and the policy of their lifecycle where the cluster knows such policies.`,
  async run(_input, { env, json, stdout }) {
    await using projections = await openProjections(env);
    const { store, config } = projections;
    const { engines } = config;
    const model = await projections.embedder();
    const cluster = await setUpEngines(engines);
    const logger = createLogger({ service: "command", level: "error" });
    const before = new Set((await store.followers.list()).map(({ name }) => name));
    await using remote = await followRemote({ engines, store, model, logger, owner: `command:${process.pid}` });
    // A worker that has an engine already has made what it needs.
    for (const follower of remote.followers) {
      while (!follower.status().caughtUp && follower.status().leads) await sleep(POLL_MS);
    }
    const { chunks } = await store.chunks.counts(model.modelId);
    const documents = (await store.articles.countByState()).indexed;
    const created = !(await store.followers.list()).some(({ name }) => name.startsWith("keyword@") && before.has(name));
    const result = {
      engines: { keyword: engines.keyword.engine, vectors: engines.vectors.engine },
      ...(cluster !== undefined && { cluster }),
      index: config.search.index,
      keyword: { created, documents },
      vector: { field: config.search.vectorField, model: model.modelId, dims: model.dims, passages: chunks },
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
          `keyword index  ${created ? "is made by the service that searches it" : "there"}, ${documents} documents`,
          `vector index   model ${model.modelId}, ${model.dims} dimensions, ${chunks} passages`,
        ].join("\n")}\n`,
      );
    }
    return 0;
  },
});
