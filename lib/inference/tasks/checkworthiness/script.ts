const ARABIC = /\p{Script=Arabic}/gu;
const OTHER_LETTER = /(?!\p{Script=Arabic})\p{L}/gu;

/**
 * The language whose script has most of the letters of `text`: `ar` for Arabic script, `en` for any other; undefined
 * without letters.
 */
export function scriptLanguage(text: string): "ar" | "en" | undefined {
  const arabic = text.match(ARABIC)?.length ?? 0;
  const other = text.match(OTHER_LETTER)?.length ?? 0;
  if (arabic + other === 0) return undefined;
  return arabic >= other ? "ar" : "en";
}
