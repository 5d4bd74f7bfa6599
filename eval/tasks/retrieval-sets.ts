import { join } from "node:path";
import type { EvalSet } from "../task.ts";

/** The test collections of the data folder. */
export function retrievalSets(data: string): EvalSet[] {
  return [
    { set: "TyDi QA ar dev", path: "tydiqa-goldp/beir-ar-dev" },
    { set: "ARCD train", path: "arcd-train" },
    { set: "TyDi QA en", path: "tydiqa-goldp/beir-en" },
    { set: "Cranfield", path: "cranfield" },
    { set: "CISI", path: "cisi" },
    { set: "CheckThat! en 2020", path: "checkthat-en2020" },
  ].map(({ set, path }) => ({ set, path: join(data, "retrieval", path) }));
}
