/** Watches the event loop: the longest that a timer of one millisecond was late, in milliseconds. */
export type LoopWatch = { longest(): number; pause(): void; resume(): void };

/** Starts watching. */
export function watchLoop(): LoopWatch {
  let longest = 0;
  let last = performance.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  };
  const resume = (): void => {
    last = performance.now();
    timer = setInterval(look, 1);
  };
  resume();
  return { longest: () => longest, pause: () => clearInterval(timer), resume };
}

/**
 * The most processor time in milliseconds that this thread spends in one turn of its event loop while `work` runs:
 * unlike the clock, it does not go on while the thread waits for a processor. Resolves to it and to what `work` does.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let longest = 0;
  let before = busyMs();
  let isOver = false;
  const turn = (): void => {
    const now = busyMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    return { ms: Math.max(longest, busyMs() - before), result };
  } finally {
    isOver = true;
  }
}

/** Processor time of this thread. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
