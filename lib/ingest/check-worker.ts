import { serve } from "../service/threads/mod.ts";
import { checkItem } from "./check.ts";

/** Returns a thread that checks items. */
export function start() {
  return { check: (entry: unknown) => checkItem(entry) };
}

serve(start);
