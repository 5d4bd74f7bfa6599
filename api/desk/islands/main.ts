import { mountAsk } from "./ask.ts";
import { mountBrush } from "./brush.ts";
import { mountFile } from "./file.ts";
import { mountKeys } from "./keys.ts";
import { mountSuggest } from "./suggest.ts";
import { rememberZone } from "./zone.ts";

/** Brings the islands of a page to life that have this name; a page works without them. */
const mountAll = <T extends Element>(name: string, mount: (element: T) => void): void => {
  for (const element of document.querySelectorAll<T>(`[data-island="${name}"]`)) mount(element);
};

mountAll<HTMLFormElement>("ask", mountAsk);
mountAll<HTMLElement>("file", mountFile);
mountAll<HTMLElement>("keys", mountKeys);
mountAll<HTMLElement>("suggest", mountSuggest);
mountAll<SVGElement>("brush", mountBrush);
rememberZone();
