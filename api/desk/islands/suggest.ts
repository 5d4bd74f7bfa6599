/** A text that may be meant, and what it is. */
type Suggestion = { text: string; kind: string };

/** Waits so long after a key before it asks, in milliseconds. */
const PAUSE_MS = 120;

/** Shows what may be meant under a search field: a list that the arrow keys go through. */
export function mountSuggest(element: HTMLElement): void {
  const input = element.querySelector<HTMLInputElement>("input[type=search]");
  if (!(element instanceof HTMLFormElement) || input === null) return;
  const list = document.createElement("ul");
  list.id = `${input.id}-list`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.labels?.[0]?.textContent?.trim() ?? "");
  list.hidden = true;
  input.parentElement?.append(list);
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-expanded", "false"],
    ["aria-controls", list.id],
    ["aria-autocomplete", "list"],
  ] as const)
    input.setAttribute(name, value);
  let chosen = -1;
  let timer = 0;
  let asked = new AbortController();

  const show = (suggestions: readonly Suggestion[]): void => {
    chosen = -1;
    list.replaceChildren(...suggestions.map((suggestion, i) => itemOf(suggestion, `${list.id}-${i}`)));
    list.hidden = suggestions.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (index: number): void => {
    const items = Array.from(list.children);
    chosen = (index + items.length) % items.length;
    items.forEach((item, i) => {
      item.setAttribute("aria-selected", String(i === chosen));
    });
    input.setAttribute("aria-activedescendant", items[chosen]?.id ?? "");
  };
  const take = (item: Element | undefined): void => {
    if (!(item instanceof HTMLElement)) return;
    input.value = item.dataset.text ?? "";
    show([]);
    element.requestSubmit();
  };
  const ask = async (): Promise<void> => {
    asked.abort();
    asked = new AbortController();
    try {
      const query = encodeURIComponent(input.value);
      const response = await fetch(`/search/suggest?q=${query}`, { signal: asked.signal });
      if (response.ok && document.activeElement === input) show(await response.json());
    } catch {
      // The field works without suggestions.
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim() === "") show([]);
    else timer = window.setTimeout(ask, PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? -1 : chosen - 1);
    else if (event.key === "Escape") show([]);
    else if (event.key === "Enter" && chosen >= 0) take(list.children[chosen]);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", () => window.setTimeout(() => show([]), 150));
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (event.target instanceof Element) take(event.target.closest("li") ?? undefined);
  });
}

function itemOf({ text, kind }: Suggestion, id: string): HTMLElement {
  const item = document.createElement("li");
  item.id = id;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  item.dataset.text = text;
  const words = document.createElement("bdi");
  words.textContent = text;
  const what = document.createElement("span");
  what.className = "muted small";
  what.textContent = kind;
  item.append(words, what);
  return item;
}
