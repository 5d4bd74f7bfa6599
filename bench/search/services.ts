import { type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { services } from "../../cli/up/services.ts";
import type { NewsCorpus } from "./news-corpus.ts";

/** The API and the retrieval service over a corpus, each a process of its own: what comes before `/search` there. */
export type SearchServices = {
  api: string;
  retrieval: string;
  /** Starts the workers, which find the entities of the corpus. */
  startWorkers(): Promise<ServiceProcess>;
  end(): Promise<void>;
};

/** Starts the search services with the settings of `env`; resolves when both branches answer. */
export async function startServices({ env }: Pick<NewsCorpus, "env">): Promise<SearchServices> {
  const running: ServiceProcess[] = [];
  const start = async (main: string, says: string, own: Record<string, string> = {}) => {
    // As `up` starts them.
    const defaults = services.find(({ entry }) => entry === main)?.defaults;
    const all = { ...defaults, ...env, INGEST_TOKEN: "bench", ...own };
    const service = spawnService(new URL(`../../${main}`, import.meta.url), all);
    running.push(service);
    return { service, url: String((await service.said(says)).url) };
  };
  const { url: retrieval } = await start("nlp/retrieval/main.ts", "the retrieval service is listening", {
    RETRIEVAL_PORT: "0",
  });
  const { url: api } = await start("api/main.ts", "the API is listening", { API_PORT: "0", RETRIEVAL_URL: retrieval });
  while (!(await fetch(`${retrieval}/search?q=news&mode=vector`)).ok) await Bun.sleep(100);
  return {
    api: `${api}/v1`,
    retrieval,
    startWorkers: async () => (await start("workers/main.ts", "workers are running")).service,
    async end() {
      for (const { child } of running) child.kill("SIGCONT");
      await Promise.all(running.map((service) => service.end()));
    },
  };
}
