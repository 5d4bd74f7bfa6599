/** `bun run nlp`: the linguistic service, started alone or by `up`. */
import { ensureTokens, loadConfig, VERSION } from "@isnad/lib/service/config";
import { aborted, createLogger, createMetrics, makePrivate, runMain, startTracing } from "@isnad/lib/service/process";
import { openAnalysers } from "./analysis.ts";
import { attempt } from "../../lib/arabic/attempt.ts";

await runMain(
  async (signal) => {
    await using opened = new AsyncDisposableStack();
    const given = loadConfig(process.env, { service: "nlp" });
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const logger = createLogger({ service: "nlp", level: config.logLevel });
    const tracing = await startTracing(config.tracing, { name: "nlp", version: VERSION });
    opened.defer(() => tracing.stop());
    // The lexicon takes longest. The threads load what they need side by side, and this one goes on with its modules.
    const analysers = openAnalysers({ logger, dataDir: config.dataDir });
    opened.defer(() => analysers.close());
    // The first request is not to wait for the lexicon; a damaged one is told by the log and the health route.
    void analysers.call("morph", { text: "كتب", all: false }).catch(() => {});
    void analysers.call("sentence", { id: 0, fuzzy: false }).catch(() => {});
    const { openEntities, openModels } = await import("./models.ts");
    const loading = openModels({ dataDir: config.dataDir, logger, tagModel: config.models.tag });
    // Whoever awaits it hears of a failure.
    loading.catch(() => undefined);
    opened.defer(async () => (await loading).close());
    const [{ createApp }, { openInventory }, { openSenses }, { listen }] = await Promise.all([
      import("./app.ts"),
      import("../../lib/arabic/senses/inventory.ts"),
      import("../../lib/arabic/senses/answer.ts"),
      import("@isnad/lib/service/http"),
    ]);
    const inventory = attempt(openInventory);
    const models = await loading;
    const service = createApp({
      ...{ config, logger, metrics: createMetrics(), analysers },
      ...{ senses: openSenses(models, inventory), entities: openEntities(models.tagger) },
    });
    const server = await listen(service.app.fetch, {
      host: config.host,
      port: config.ports.nlp,
      drainMs: config.drainMs,
    });
    opened.defer(() => server.stop());
    logger.info({ url: server.url }, "the linguistic service is listening");
    await aborted(signal);
  },
  { name: "nlp", summary: "The linguistic service: takes Arabic text apart.", portOption: "NLP_PORT" },
);
