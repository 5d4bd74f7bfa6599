import { classOf, type HtmlElement } from "./dom.ts";

const UNSEEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;
/** What themes call text for screen readers, which repeats or explains what is seen. */
const UNSEEN_CLASS =
  /(?:^|\s)(?:sr-only|screen-?reader(?:-text|-only)?|visually-?hidden|vh|assistive-text|u-hidden-visually|element-invisible)(?:\s|$)/;

/**
 * True for an element that says of itself that readers do not see it: `hidden`, `aria-hidden`, its own style, or its
 * class; false for a panel that readers open by a control before it.
 */
export function isHidden(element: HtmlElement): boolean {
  return saysHidden(element) && !isPanel(element);
}

function saysHidden(element: HtmlElement): boolean {
  const style = element.getAttribute("style");
  if (style !== null && UNSEEN_STYLE.test(style)) return true;
  if (element.getAttribute("hidden") !== null || element.getAttribute("aria-hidden") === "true") return true;
  const names = classOf(element);
  return names !== "" && UNSEEN_CLASS.test(names);
}

/** A button, or one in a heading in a box. */
const CONTROL_DEPTH = 3;

/** The disclosure pattern of WAI-ARIA: a control with `aria-expanded`, then what it shows and hides. */
function isPanel(element: HtmlElement): boolean {
  let control = element.previousElementSibling;
  for (let depth = 0; control !== null && depth < CONTROL_DEPTH; depth++) {
    if (control.getAttribute("aria-expanded") !== null) return true;
    control = control.firstElementChild;
  }
  return false;
}
