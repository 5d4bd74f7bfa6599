/** Returns what the work rejects with, as text; "none" when it does not. */
export function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (error: unknown) => String(error),
  );
}
