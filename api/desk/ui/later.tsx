import { AppError, requestLogger } from "@isnad/lib/service/http";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { View } from "../view.ts";
import { Away } from "./text.tsx";

/** Stands in a page for a part that comes later; texts of others hold no `<`. */
const PLACE = /<!--later (\d{1,4})-->/g;

/**
 * Shows a part of a page once it can be had. What stands before it is sent at once, so that a reader sees the head of a
 * page while the rest is made; no script puts it into its place. A part that cannot be had says so.
 */
export function Later({ view, part }: { view: View; part: () => Promise<Child> }) {
  const place = view.later.push(partHtml(view, part)) - 1;
  return raw(`<!--later ${place}-->`);
}

/** Returns what a component renders to, with all that it waits for. */
export async function htmlOf(child: Child): Promise<string> {
  return String(await html`${child}`);
}

async function partHtml(view: View, part: () => Promise<Child>): Promise<string> {
  try {
    return await htmlOf(await part());
  } catch (error) {
    // Of a reader who has left, nothing went wrong.
    if (view.c.req.raw.signal.aborted) return "";
    if (!(error instanceof AppError)) requestLogger(view.c).error({ err: error }, "a part of a page failed");
    return await htmlOf(<Away view={view} detail={error instanceof AppError ? error.message : undefined} />);
  }
}

/** Returns a page piece by piece, none of them empty: each part as it stands in the order of the page. */
export async function* inOrder(page: string, { later }: Pick<View, "later">): AsyncGenerator<string, void> {
  let sent = 0;
  for (const { index, 0: mark, 1: place } of page.matchAll(PLACE)) {
    if (sent < index) yield page.slice(sent, index);
    yield* inOrder((await later[Number(place)]) ?? "", { later });
    sent = index + mark.length;
  }
  if (sent < page.length) yield page.slice(sent);
}

/** Returns pieces of a text as a body: each is sent when it is there; a reader who leaves ends the work. */
export function bodyOf(pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
}
