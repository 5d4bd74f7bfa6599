/** Lets a stretch of a timeline be dragged over: the search is narrowed to its days. */
export function mountBrush(element: Element): void {
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
