const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a uuid: what is none names no row. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
