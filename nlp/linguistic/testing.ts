import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@isnad/lib/service/config";
import { listen, type Service } from "@isnad/lib/service/http";
import { createEmbedder, createTagger, type Embedder, openRegistry, type Tagger } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { type Analysers, openAnalysers } from "./analysis.ts";
import { createApp } from "./app.ts";
import { attempt } from "../../lib/arabic/attempt.ts";
import { openEntities } from "./models.ts";
import { openInventory } from "../../lib/arabic/senses/inventory.ts";
import { openSenses } from "../../lib/arabic/senses/answer.ts";
import { openSenseModel, type SenseModelParts, SENSES_EMBEDDER } from "../../lib/arabic/senses/sense-vectors.ts";

/** The linguistic service with everything that ships, on a port of its own and a data folder of its own. */
export type TestService = {
  url: string;
  app: Service["app"];
  dataDir: string;
  analysers: Analysers;
  embedder: Embedder;
  tagger: Tagger;
  senses: SenseModelParts;
  close(): Promise<void>;
};

/** Starts it, for tests. */
export async function openTestService(): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-nlp-"));
  const analysers = openAnalysers({ dataDir });
  const registry = openRegistry();
  const [embedder, tagger, senses] = await Promise.all([
    createEmbedder({ registry, model: SENSES_EMBEDDER }),
    createTagger({ registry, nestedOnly: true }),
    openSenseModel({ registry }),
  ]);
  const config = loadConfig({ DATA_DIR: dataDir }, { service: "nlp" });
  const { app } = createApp({
    ...{ config, logger: createLogger({ service: "nlp", level: "fatal" }), metrics: createMetrics(), analysers },
    ...{
      senses: openSenses({ embedder: { model: embedder }, senses: { model: senses } }, attempt(openInventory)),
      entities: openEntities({ model: tagger }),
    },
  });
  const server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
  return {
    ...{ url: server.url, app, dataDir, analysers, embedder, tagger, senses },
    async close() {
      await server.stop(0);
      await analysers.close();
      await embedder.close();
      await senses.encoder.close();
      await tagger.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
