/**
 * Returns the processor time in milliseconds that `work` takes in this thread, the least of three runs: what other
 * processes and threads do does not count, and what is collected meanwhile hardly. One of more than a second is not
 * repeated.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  while (runs.length < 3 && (runs.at(-1) ?? 0) < 1000) {
    const before = threadMs();
    await work();
    runs.push(threadMs() - before);
  }
  return Math.min(...runs);
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
