import { readFileSync } from "node:fs";
import { withNlp } from "./nlp-process.ts";
import type { Figure } from "./rounds.ts";

const TEXT = encodeURIComponent("قال رئيس بلدية نابلس إن المدرسة ستفتح يوم الأحد.");
const ROUTES = ["morph", "wsd", "ner", "re", "dialect/nabra/glossary"];

/** How long the linguistic service takes from the start of its process until all parts answer; its memory then. */
export async function ready(): Promise<Figure[]> {
  return withNlp(async ({ url, pid, seconds }) => {
    const began = performance.now();
    for (const route of ROUTES) {
      const { status } = await fetch(`${url}/${route}?text=${TEXT}`);
      if (status !== 200) throw new Error(`/${route} answers ${status}`);
    }
    const answered = seconds + (performance.now() - began) / 1000;
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return [
      {
        name: "linguistic service: s until it is well",
        value: seconds,
        bound: { atMost: 2 },
        detail: `every route has answered after ${answered.toFixed(2)} s, ${Math.round(Number(memory) / 1024)} MB resident`,
      },
    ];
  });
}
