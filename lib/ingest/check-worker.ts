import { serve } from "../threads/index.ts";
import { checkItem } from "./check-item.ts";

/** A thread that checks items. */
export function start() {
  return { check: (entry: unknown) => checkItem(entry) };
}

serve(start);
