import { z } from "@isnad/lib/http";
import { parsePage } from "../../extract/page/dom.ts";

/** A CSS selector that the extractor's own engine understands. */
export const Selector = z.string().min(1).max(500).refine(isSelector, { error: "is no CSS selector" });

let page: ReturnType<typeof parsePage> | undefined;

function isSelector(text: string): boolean {
  page ??= parsePage("<p>text</p>");
  try {
    page.querySelector(text);
    return text.trim() !== "";
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
