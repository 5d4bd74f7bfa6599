import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Config, VERSION } from "@isnad/lib/service/config";
import { portFault } from "../../lib/std/ports.ts";
import { services } from "../up/services.ts";
import { bytes, type Finding, findings } from "./finding.ts";

/** The version of Bun that the platform is tested with. */
const BUN = "1.4";

/** Less than this is not enough to start and to write an index anew. */
const DISK_LEAST = 1e9;
const DISK_LITTLE = 5e9;

const MEMORY_LITTLE = 2e9;

/** The program, the processor and memory, the data folder and the disk below it. */
export function machineFindings({ dataDir }: Config): Finding[] {
  const { list, ok, warn, fail } = findings("machine");
  const bun = process.versions.bun ?? "none";
  const runtime = `Isnad ${VERSION}, Bun ${bun}, ${process.platform} ${process.arch}`;
  if (bun.startsWith(`${BUN}.`)) ok("versions", runtime);
  else warn("versions", `${runtime}: tested with Bun ${BUN}`);
  const memory = memoryLimit();
  const size = `${availableParallelism()} processors, ${bytes(memory)} memory`;
  if (memory < MEMORY_LITTLE) warn("size", `${size}: 2 GB are needed for everything on one machine`);
  else ok("size", size);
  const there = nearest(dataDir);
  try {
    accessSync(there, constants.W_OK);
    ok("DATA_DIR", existsSync(dataDir) ? `${dataDir}, can be written` : `${dataDir}, will be made`);
  } catch {
    fail("DATA_DIR", `${there} cannot be written`);
  }
  const { bavail, bsize, blocks } = statfsSync(there);
  const free = bavail * bsize;
  const disk = `${bytes(free)} of ${bytes(blocks * bsize)} free`;
  if (free < DISK_LEAST) fail("disk", `${disk}: less than ${bytes(DISK_LEAST)}`);
  else if (free < DISK_LITTLE) warn("disk", disk);
  else ok("disk", disk);
  return list;
}

/** Whether the ports are free that a start would listen on; only asked while nothing runs. */
export async function portFindings({ host, ports, workers }: Config): Promise<Finding[]> {
  const { list, fail } = findings("port");
  const all = new Map<string, number | undefined>(Object.entries({ ...ports, workers: workers.port }));
  for (const { name, portOption } of services) {
    const port = all.get(name) ?? 0;
    const fault = port === 0 ? null : await portFault(host, port);
    if (fault === "EADDRINUSE") fail(portOption, `${port} is in use, and not by ${name}`);
    else if (fault !== null) fail(portOption, `cannot listen on ${host}:${port} (${fault})`);
  }
  return list;
}

function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

/** The memory of the machine, or of the container where that is less. */
function memoryLimit(): number {
  const file = join("/sys/fs/cgroup", "memory.max");
  const limit = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
  return Number.isFinite(limit) ? Math.min(limit, totalmem()) : totalmem();
}
