/** `ar` or `en` of a language code such as `ar-EG`; undefined for any other and for none. */
export function contentLanguage(code: string | null | undefined): "ar" | "en" | undefined {
  const primary = (code ?? "").trim().toLowerCase().split(/[-_]/)[0];
  return primary === "ar" || primary === "en" ? primary : undefined;
}
