/** The median of `values`; NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The `q` quantile (0 to 1) of `values` by linear interpolation; NaN for none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** One thing to time: a name, and a function that does it once. */
type Contender = { name: string; run: () => Promise<unknown> | unknown };

/** Returns the processor time of all threads of this process so far, in milliseconds: a busy machine adds nothing. */
export function processorMs(): number {
  return process.cpuUsage().user / 1000;
}

/**
 * Times the contenders in turn, A B A B …, so that a drift of the machine's speed meets all of them alike.
 * The first `warmup` rounds are not counted. Returns, by name, the milliseconds of each counted round, by the clock
 * unless `now` reads another one.
 */
export async function interleaved(
  contenders: readonly Contender[],
  {
    rounds = 9,
    warmup = 2,
    now = () => performance.now(),
  }: { rounds?: number; warmup?: number; now?: () => number } = {},
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contenders.map((c) => [c.name, []]));
  for (let round = 0; round < rounds + warmup; round++) {
    for (const contender of contenders) {
      const start = now();
      await contender.run();
      const took = now() - start;
      if (round >= warmup) times.get(contender.name)?.push(took);
    }
  }
  return times;
}

/** One line of the bench's table: a measured figure beside the bound that the project set for it. */
export type Figure = {
  name: string;
  value: number;
  bound: { atLeast: number } | { atMost: number };
  detail: string;
};

/** Tells whether the figure keeps its bound. */
export function holds({ value, bound }: Figure): boolean {
  return "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Renders a figure as one line: verdict, name, value, bound, detail. */
export function line(figure: Figure): string {
  const bound = "atLeast" in figure.bound ? `>= ${figure.bound.atLeast}` : `<= ${figure.bound.atMost}`;
  const verdict = holds(figure) ? "holds" : "MISSES";
  return `${verdict.padEnd(7)}${figure.name.padEnd(44)}${figure.value.toFixed(3).padStart(9)}  ${bound.padEnd(9)} ${figure.detail}`;
}

/** Watches the event loop: the longest that a timer of one millisecond was late, in milliseconds. */
type LoopWatch = { longest(): number; pause(): void; resume(): void };

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
