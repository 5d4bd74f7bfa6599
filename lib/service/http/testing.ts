import { loadConfig } from "../config/mod.ts";
import { createLogger } from "../process/logger.ts";
import { createMetrics } from "../process/metrics.ts";
import { createService, type Service, type ServiceOptions } from "./service.ts";

/** A service named `test` whose log lines are collected in `lines`; for tests. */
export function testService(over: Partial<ServiceOptions> = {}): Service & { lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: "test",
    level: "debug",
    stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  const service = createService({
    name: "test",
    version: "1.2.3",
    config: loadConfig({}),
    logger,
    metrics: createMetrics(),
    deps: {},
    ...over,
  });
  return { ...service, lines };
}

/** Counts the turns of the event loop. `hold` holds one for longer than shared work may, and returns its number. */
export function testTurns() {
  let number = 0;
  let next = setImmediate(function again() {
    number++;
    next = setImmediate(again);
  });
  return {
    hold(): number {
      const end = performance.now() + 10;
      while (performance.now() < end);
      return number;
    },
    stop: () => clearImmediate(next),
  };
}
