/** What was thrown, as text: the message of an error, its name where it has none. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
