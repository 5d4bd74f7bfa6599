/** Streams the answer to a question into the page, and keeps the question in the address. */
export function mountAsk(form: HTMLFormElement): void {
  const shown = document.querySelector<HTMLElement>("#answer");
  if (shown === null) return;
  let running: AbortController | undefined;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
    history.replaceState(null, "", `/ask?${fields}`);
    const words = document.createElement("p");
    words.className = "lead muted";
    words.textContent = form.dataset.reading ?? "";
    shown.replaceChildren(words);
    try {
      await stream(fields, signal, {
        delta(text) {
          if (words.classList.contains("muted")) {
            words.classList.remove("muted");
            words.dir = "auto";
            words.textContent = "";
          }
          words.textContent += text;
        },
        whole(html) {
          shown.innerHTML = html;
        },
      });
    } catch {
      if (signal.aborted) return;
      words.className = "problem";
      words.textContent = form.dataset.broken ?? "";
    }
  });
}

/** Reads the events of an answer: words as they come, and the whole of it, made by the server as its page would be. */
async function stream(
  body: URLSearchParams,
  signal: AbortSignal,
  on: { delta(text: string): void; whole(html: string): void },
): Promise<void> {
  const response = await fetch("/ask/stream", { method: "POST", body, signal });
  const reader = response.ok ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
  if (reader === undefined) throw new Error(`answers ${response.status}`);
  let held = "";
  let isWhole = false;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const events = (held + read.value).split("\n\n");
    held = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (\w+)$/m.exec(event)?.[1];
      const data: unknown = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "{}");
      if (typeof data !== "object" || data === null) continue;
      if (name === "delta" && "text" in data && typeof data.text === "string") on.delta(data.text);
      if (name === "whole" && "html" in data && typeof data.html === "string") {
        isWhole = true;
        on.whole(data.html);
      }
    }
  }
  if (!isWhole) throw new Error("the answer broke off");
}
