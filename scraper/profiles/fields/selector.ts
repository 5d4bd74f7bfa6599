import { z } from "@isnad/lib/http";
import { parseHTML } from "linkedom";

/** A CSS selector that the extractor's own engine understands. */
export const Selector = z.string().min(1).max(500).refine(isSelector, { error: "is no CSS selector" });

type Queried = { querySelector(selector: string): unknown };

let made: Queried | undefined;

function isSelector(text: string): boolean {
  const page: Queried = made ?? parseHTML("<!doctype html><html><head></head><body><p>text</p></body></html>").document;
  made = page;
  try {
    page.querySelector(text);
    return text.trim() !== "";
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
