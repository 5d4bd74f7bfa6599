/** Markup that needs no more escaping. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | undefined | readonly Html[];

/** A template whose values are escaped, except those that are {@link Html} already. Undefined renders as nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(value: Part): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map((part) => part.markup).join("");
}

/** Escapes text for element content and for attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
