import { serve } from "@isnad/lib/service/threads";
import { readFeed } from "@isnad/lib/web/feeds";

/** A thread that reads feeds; its handler throws FeedError. */
export function start() {
  return { read: ({ text, url }: { text: string; url: string }) => readFeed(text, { url }) };
}

serve(start);
