import { isObject, type Json, parseJson } from "@isnad/lib/std";
import { NewsdataError } from "./error.ts";

/** One page of results. */
export type NewsdataPage = {
  articles: { [field: string]: Json }[];
  /** The token that asks for the next page; undefined on the last one. */
  nextPage: string | undefined;
  totalResults: number | undefined;
};

/** What a status means when the body does not say it (newsdata.io/documentation/http-response-code). */
const MEANINGS: Record<number, string> = {
  400: "a parameter is missing",
  401: "the API key is missing or not valid",
  403: "this address may not use the key",
  409: "a parameter is given twice",
  415: "the request has an unsupported format",
  422: "a parameter or its value is not supported",
  429: "too many requests",
  500: "internal error",
};

/**
 * Reads an answer. The body decides, not the status alone: errors may come with status 200. Throws {@link
 * NewsdataError}, with the service's code, also when the body is none of the two documented shapes.
 */
export function pageOf(status: number, body: string): NewsdataPage {
  const parsed = parseJson(body);
  if (!isObject(parsed) || parsed.status !== "success") throw errorOf(status, parsed);
  const { results, nextPage, totalResults } = parsed;
  if (!Array.isArray(results)) throw new NewsdataError(status, "", "the answer has no results");
  return {
    articles: results.filter((entry) => isObject(entry)),
    nextPage: nextPage === null || nextPage === undefined || nextPage === "" ? undefined : String(nextPage),
    totalResults: typeof totalResults === "number" ? totalResults : undefined,
  };
}

/** The error object lies under `results`, in older answers at the top. */
function errorOf(status: number, body: unknown): NewsdataError {
  const outer = isObject(body) ? body : {};
  const inner = isObject(outer.results) ? outer.results : outer;
  const code = typeof inner.code === "string" ? inner.code : "";
  const message =
    typeof inner.message === "string" ? inner.message : isObject(inner.message) ? JSON.stringify(inner.message) : "";
  return new NewsdataError(status, code, (message || MEANINGS[status]) ?? "the answer is not of the documented form");
}
