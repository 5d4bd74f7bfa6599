import { parentPort, workerData } from "node:worker_threads";
import { KeywordEngine } from "./engine.ts";
import { asKeywordError } from "./faults.ts";
import type { KeywordRequest, KeywordWorkerData } from "./protocol.ts";

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a Worker");

const { dir, mode }: KeywordWorkerData = workerData;
try {
  const engine = new KeywordEngine(dir, mode);
  port.on("message", (request: KeywordRequest) => {
    const { id } = request;
    try {
      port.postMessage({ kind: "result", id, value: answer(engine, request) });
    } catch (error) {
      const { reason, message } = asKeywordError(error);
      port.postMessage({ kind: "error", id, reason, message });
    }
    if (request.method === "close") port.close();
  });
  port.postMessage({ kind: "opened", fresh: engine.fresh });
} catch (error) {
  const { reason, message } = asKeywordError(error);
  port.postMessage({ kind: "failed", reason, message });
  port.close();
}

function answer(engine: KeywordEngine, request: KeywordRequest): unknown {
  switch (request.method) {
    case "upsert":
      return engine.upsert(...request.args);
    case "remove":
      return engine.remove(...request.args);
    case "search":
      return engine.search(...request.args);
    case "ids":
      return engine.ids(...request.args);
    case "missing":
      return engine.missing(...request.args);
    case "count":
      return engine.count();
    case "status":
      return engine.status();
    case "setTier":
      return engine.setTier(...request.args);
    case "markComplete":
      return engine.markComplete();
    case "clear":
      return engine.clear();
    case "close":
      return engine.close();
  }
}
