/** Holds how long a fact is waited for: any step may take half a minute on a machine that is busy with other things. */
const UNTIL_MS = 120_000;

type Condition = () => boolean | Promise<boolean>;

/**
 * Waits until the condition holds, asking every few milliseconds; rejects after two minutes, with `what` or the
 * condition's own code.
 */
export async function until(...args: [what: string, holds: Condition] | [holds: Condition]): Promise<void> {
  const holds = args.length === 1 ? args[0] : args[1];
  const deadline = performance.now() + UNTIL_MS;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`within two minutes it did not come about that ${String(args[0])}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
