/** Waits until the condition holds, asking every few milliseconds; rejects after `ms`. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 45_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`within ${ms} ms it did not come about that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
