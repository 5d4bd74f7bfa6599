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
