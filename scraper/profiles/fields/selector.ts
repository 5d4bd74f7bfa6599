import { z } from "@isnad/lib/service/http";
import { parsePage } from "../../../lib/extraction/page/dom.ts";

/** A CSS selector that the extractor's own engine understands. */
export const Selector = z.string().min(1).max(500).refine(isSelector, { error: "is no CSS selector" });

let page: ReturnType<typeof parsePage> | undefined;

/** The engine takes these for selectors of nothing. */
const LOOSE_END = /^\s*[>+~,]|[>+~,]\s*$|^\s*$/;

function isSelector(text: string): boolean {
  if (LOOSE_END.test(text)) return false;
  page ??= parsePage("<p>text</p>");
  try {
    page.querySelector(text);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
