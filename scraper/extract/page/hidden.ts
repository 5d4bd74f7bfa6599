interface Attributed {
  getAttribute(name: string): string | null;
}

const UNSEEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** True for an element that says of itself that it is not shown: `hidden`, `aria-hidden`, or its own style. */
export function isHidden(element: Attributed): boolean {
  const style = element.getAttribute("style");
  if (style !== null && UNSEEN_STYLE.test(style)) return true;
  return element.getAttribute("hidden") !== null || element.getAttribute("aria-hidden") === "true";
}
