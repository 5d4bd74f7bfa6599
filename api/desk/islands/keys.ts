const OFF = "isnad-keys-off";

/** Lets a page be gone through by single keys, which a reader can switch off: `/`, `j`, `k`, `g …`, `?`. */
export function mountKeys(button: HTMLElement): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog#keys");
  const enabled = document.querySelector<HTMLInputElement>("#keys-enabled");
  if (dialog === null || enabled === null) return;
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
  enabled.checked = localStorage.getItem(OFF) === null;
  enabled.addEventListener("change", () => {
    if (enabled.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  const paths = new Map(
    Array.from(dialog.querySelectorAll<HTMLElement>("[data-go-key]"), ({ dataset }) => [dataset.goKey, dataset.goPath]),
  );
  let isGoing = false;
  document.addEventListener("keydown", (event) => {
    if (!enabled.checked || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const path = isGoing ? paths.get(event.key) : undefined;
    isGoing = event.key === "g" && !isGoing;
    if (path !== undefined) location.assign(path);
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "/") searchField()?.focus();
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "f") document.querySelector<HTMLElement>("#filters")?.focus();
    else if (event.key === "s") openForm("#save");
    else return;
    event.preventDefault();
  });
}

/** Returns the field of what the page itself is for, else that of the masthead. */
function searchField(): HTMLElement | null {
  const field = "input[type=search]";
  return document.querySelector<HTMLElement>(`main ${field}`) ?? document.querySelector<HTMLElement>(field);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}

/** Opens a folded form, and moves the focus into its first field. */
function openForm(selector: string): void {
  const form = document.querySelector<HTMLDetailsElement>(selector);
  if (form === null) return;
  form.open = true;
  form.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
}

/** Moves the focus to the next entry of the page's list, or the one before. */
function step(by: 1 | -1): void {
  const links = Array.from(document.querySelectorAll<HTMLElement>("main .entry :is(h2, h3, h4) a"));
  const entry = document.activeElement?.closest(".entry");
  const at = links.findIndex((link) => entry !== null && entry === link.closest(".entry"));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
