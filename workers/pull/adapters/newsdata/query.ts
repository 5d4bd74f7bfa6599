import type { PullOptions, Source } from "@isnad/lib/store";
import { PullError } from "../../adapter.ts";

/** What newsdata.io is asked for. */
export type NewsdataQuery = {
  mode: "latest" | "archive";
  /** Request parameters besides the page. */
  parameters: Record<string, string>;
  /** Whether this is the regular pull of a source, which goes on where the last one ended. */
  regular: boolean;
};

/** The options of a pull that are request parameters, and the parameters' names. */
const PARAMETERS = {
  query: "q",
  language: "language",
  country: "country",
  category: "category",
  from: "from_date",
  to: "to_date",
} as const;

/** At least one of these has to be in a request to the archive. */
const FILTERS = ["q", "language", "country", "category"];

/**
 * The request for a pull with these options; the language of the source is that of the request unless they name one.
 * Throws {@link PullError} for options that the service would refuse.
 */
export function queryOf(source: Pick<Source, "key" | "language">, options: PullOptions): NewsdataQuery {
  const mode = options.mode ?? "latest";
  if (mode !== "latest" && mode !== "archive") throw new PullError(`newsdata.io has no mode "${JSON.stringify(mode)}"`);
  const parameters: Record<string, string> = {};
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = options[option];
    if (typeof value === "string" && value !== "") parameters[parameter] = value;
  }
  if (source.language !== null && parameters.language === undefined) parameters.language = source.language;
  if (mode === "latest" && (parameters.from_date ?? parameters.to_date) !== undefined) {
    throw new PullError("only the archive of newsdata.io can be asked for dates");
  }
  if (mode === "archive" && !FILTERS.some((name) => name in parameters)) {
    throw new PullError("the archive of newsdata.io wants a query, a language, a country or a category");
  }
  return { mode, parameters, regular: Object.keys(options).length === 0 };
}
