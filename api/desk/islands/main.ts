import { mountKeys } from "./keys.ts";
import { rememberZone } from "./zone.ts";

/** Brings the islands of a page to life: each is found by `data-island`, and a page works without it. */
const ISLANDS: Readonly<Record<string, (element: HTMLElement) => void>> = { keys: mountKeys };

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  ISLANDS[element.dataset.island ?? ""]?.(element);
}
rememberZone();
