import { createClassifier, type Genre, GENRES, openRegistry } from "@isnad/lib/models";
import { loadConfig } from "@isnad/lib/service/config";
import { createLimiters, createService } from "@isnad/lib/service/http";
import { classifyMetrics, createLogger, createMetrics } from "@isnad/lib/service/process";
import { classify } from "../nlp/retrieval/evidence.ts";
import { addCheckWorthiness } from "../nlp/retrieval/routes/check-worthiness.ts";
import { type Figure, longestTurn, median, quantile } from "./rounds.ts";

const REQUESTS = 400;
const WARMUP = 100;
const AIM_MS = { debate: 10, news: 60 };
/** Requests at a time while the turns of the event loop are watched. */
const CLIENTS = 16;

/**
 * Eight sentences of ordinary length (20 tokens each in the mean), with a number that changes, so that nothing is
 * cached.
 */
const sentences = (i: number): string[] => [
  `Unemployment fell to ${i % 90}.9 percent in May, the lowest rate in eighteen years, and wages rose a little.`,
  `The minister said on day ${i} that nobody in the government had known of the contract before it was signed.`,
  `They have voted ${i} times against the law that would have lowered the price of medicine.`,
  `I think that we can do better than that, and number ${i} is the proof.`,
  `بلغ عدد الإصابات الجديدة ${i} إصابة خلال يوم واحد بحسب وزارة الصحة.`,
  `قال الرئيس إن الاقتصاد نما بنسبة ${i % 10} في المئة وإن الديون انخفضت.`,
  `Thank you very much, guest ${i}, and good evening to all of you at home.`,
  `More than ${i} thousand people left the city after the flood, the mayor told reporters on Monday.`,
];

/**
 * Returns what the check-worthiness route costs, in one process with its model, over the whole of a request but the
 * socket.
 */
export async function check(): Promise<Figure[]> {
  const classifier = await createClassifier({ registry: openRegistry() });
  const config = loadConfig({ APP_ENV: "local" });
  const service = createService({
    name: "bench",
    version: "0",
    config,
    logger: createLogger({ service: "bench", level: "silent" }),
    metrics: createMetrics(),
    deps: {},
    classify,
  });
  const limiter = createLimiters(service.metrics, config.limits)("classify", config.limits.classify);
  const measured = { classified: classifyMetrics(service.metrics) };
  addCheckWorthiness(service.app, { classifier: { model: classifier }, limiter, measured });
  const post = async (i: number, genre: Genre = "debate"): Promise<number> => {
    const started = performance.now();
    const response = await service.app.request("/s1/check-worthiness", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sentences: sentences(i), genre }),
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the route answered ${response.status}`);
    return performance.now() - started;
  };

  const figures: Figure[] = [];
  for (const genre of GENRES) {
    for (let i = 0; i < WARMUP; i++) await post(i, genre);
    const alone: number[] = [];
    for (let i = 0; i < REQUESTS; i++) alone.push(await post(i, genre));
    figures.push({
      name: `check-worthiness, 8 sentences${genre === "news" ? " of news" : ""}, p95 ms`,
      value: quantile(alone, 0.95),
      bound: { atMost: AIM_MS[genre] },
      detail: `median ${median(alone).toFixed(2)} ms, ${REQUESTS} requests one after the other`,
    });
  }

  const started = performance.now();
  // By the clock it is as well how long two threads of the model leave this one no processor.
  const turn = await longestTurn(async () => {
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = client; i < REQUESTS; i += CLIENTS) await post(i);
    });
    await Promise.all(clients);
  });
  const rate = (REQUESTS * 8 * 1000) / (performance.now() - started);
  await classifier.close();
  return [
    ...figures,
    {
      name: "check-worthiness, longest turn of the event loop, ms of processor time",
      value: turn.ms,
      bound: { atMost: 10 },
      detail: `${CLIENTS} clients, ${rate.toFixed(0)} sentences a second`,
    },
  ];
}
