/**
 * Returns the processor time in milliseconds that `work` takes, the least of three runs: what other processes do does
 * not count, and what is compiled or collected meanwhile hardly. One of more than a second is not repeated.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  while (runs.length < 3 && (runs.at(-1) ?? 0) < 1000) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    runs.push((user + system) / 1000);
  }
  return Math.min(...runs);
}
