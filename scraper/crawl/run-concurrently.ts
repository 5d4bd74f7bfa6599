/**
 * Runs `step` again and again in `concurrency` loops at once, until it answers false for the first time. After an error
 * no step is begun any more; those under way are waited for, and the first error is thrown.
 */
export async function runConcurrently(concurrency: number, step: () => Promise<boolean>): Promise<void> {
  let goesOn = true;
  const loop = async () => {
    while (goesOn) {
      try {
        if (!(await step())) goesOn = false;
      } catch (error) {
        goesOn = false;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, loop));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}
