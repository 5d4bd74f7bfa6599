import { mountAsk } from "./ask.ts";
import { mountKeys } from "./keys.ts";
import { mountSuggest } from "./suggest.ts";

/** Brings the islands of a page to life that have this name; a page works without them. */
const mountAll = <T extends Element>(name: string, mount: (element: T) => void): void => {
  for (const element of document.querySelectorAll<T>(`[data-island="${name}"]`)) mount(element);
};

mountAll<HTMLFormElement>("ask", mountAsk);
mountAll<HTMLElement>("file", mountFile);
mountAll<HTMLElement>("keys", mountKeys);
mountAll<HTMLElement>("suggest", mountSuggest);
mountAll<SVGElement>("brush", mountBrush);
// Asking for the zone loads all that the browser knows of dates: not before the page is painted.
addEventListener("load", () => setTimeout(rememberZone));

/** Lets a file be chosen in place of pasting its text: it is read into the field that it is for. */
function mountFile(form: HTMLElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("input[data-file-for]")) {
    const field = form.querySelector<HTMLTextAreaElement>(`#${input.dataset.fileFor}`);
    if (field === null) continue;
    input.closest("label")?.removeAttribute("hidden");
    input.addEventListener("change", async () => {
      field.value = (await input.files?.[0]?.text()) ?? field.value;
    });
  }
}

/** Lets a stretch of a timeline be dragged over: the search is narrowed to its days. */
function mountBrush(element: Element): void {
  if (!(element instanceof SVGElement)) return;
  const days = (element.dataset.days ?? "").split(" ").map((day) => day.split("/"));
  const isReversed = element.dataset.reversed !== undefined;
  const brush = element.querySelector(".brush");
  let start: number | undefined;

  const barAt = (x: number): number => {
    const { left, width } = element.getBoundingClientRect();
    const place = Math.min(days.length - 1, Math.max(0, Math.floor(((x - left) / width) * days.length)));
    return isReversed ? days.length - 1 - place : place;
  };
  const draw = (from: number, to: number): void => {
    const { left } = element.getBoundingClientRect();
    brush?.setAttribute("x", String(Math.min(from, to) - left));
    brush?.setAttribute("width", String(Math.abs(to - from)));
  };
  element.addEventListener("pointerdown", (event) => {
    start = event.clientX;
  });
  element.addEventListener("dragstart", (event) => event.preventDefault());
  element.addEventListener("pointermove", (event) => {
    if (start !== undefined && event.buttons === 1) draw(start, event.clientX);
  });
  window.addEventListener("pointerup", (event) => {
    if (start === undefined) return;
    const [first, last] = [barAt(start), barAt(event.clientX)].toSorted((a, b) => a - b);
    const isDrag = Math.abs(event.clientX - start) > 4;
    start = undefined;
    if (!isDrag) return;
    const url = new URL(location.href);
    url.searchParams.set("from", days[first ?? 0]?.[0] ?? "");
    url.searchParams.set("to", days[last ?? 0]?.[1] ?? "");
    url.searchParams.delete("offset");
    location.assign(url);
  });
}

/** Tells the server the time zone of the browser, for the times of the pages that follow. */
function rememberZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (document.cookie.includes(`isnad_zone=${encodeURIComponent(timeZone)}`)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is known to few browsers
  document.cookie = `isnad_zone=${encodeURIComponent(timeZone)}; path=/; max-age=34560000; samesite=lax`;
}
