import type { Taxonomy } from "@isnad/lib/service/config";
import { isObject } from "@isnad/lib/std";
import type { Json } from "@isnad/lib/store";
import type { Adapter } from "../../adapter.ts";
import type { NewsdataClient } from "./client.ts";
import { newsdataItem, pubDateOf } from "./item.ts";
import { queryOf } from "./query.ts";

/** What the adapter stands on. */
export type NewsdataDeps = { client: NewsdataClient; taxonomy: Pick<Taxonomy, "mapLabel"> };

/** Pages that a regular pull reads at most: each one costs a credit. */
const REGULAR_PAGES = 10;

/**
 * Provider `newsdata`: the latest news or the archive of newsdata.io, page after page. A regular pull ends at the first
 * page on which everything is older than the newest result of the last complete one.
 */
export function newsdataAdapter({ client, taxonomy }: NewsdataDeps): Adapter {
  return async function* pullNewsdata(source, { state, options, signal }) {
    const query = queryOf(source, options);
    const reached = query.regular ? newestOf(state) : undefined;
    let newest = reached;
    let page: string | undefined;
    for (let pages = 1; ; pages++) {
      const { articles, nextPage } = await client(query, page, signal);
      let fresh = articles.length === 0;
      for (const article of articles) {
        const published = pubDateOf(article);
        if (published !== undefined && (newest === undefined || published > newest)) newest = published;
        fresh ||= published === undefined || reached === undefined || published >= reached;
        yield newsdataItem(article, source, taxonomy);
      }
      // A token that repeats itself would go on for ever.
      if (nextPage === undefined || nextPage === page) break;
      if (query.regular && (!fresh || pages === REGULAR_PAGES)) break;
      page = nextPage;
    }
    return query.regular && newest !== undefined ? { newest } : undefined;
  };
}

function newestOf(state: Json | undefined): string | undefined {
  return isObject(state) && typeof state.newest === "string" ? state.newest : undefined;
}
