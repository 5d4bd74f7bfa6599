/** So soon after the first, in ms, a stop is the same one: Ctrl-C reaches all of a terminal, and npm passes it on. */
const SAME_MS = 500;

/**
 * Makes what each signal to stop is told to, with its reason: `first` is called once; `again` for one that comes half a
 * second after that, or later, from somebody who does not want to wait.
 */
export function stops(first: (reason: string) => void, again: () => void): (reason: string) => void {
  let firstAt: number | undefined;
  return (reason) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first(reason);
    } else if (performance.now() - firstAt >= SAME_MS) again();
  };
}
