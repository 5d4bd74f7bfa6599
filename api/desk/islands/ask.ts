/** Streams the answers of a conversation into the page, and keeps the question in the address. */
export function mountAsk(form: HTMLFormElement): void {
  const shown = document.querySelector<HTMLElement>("#answer");
  const earlier = document.querySelector<HTMLElement>("#earlier");
  const input = form.querySelector<HTMLInputElement>("input[name=q]");
  if (shown === null || earlier === null || input === null) return;
  const answers = new Map<string, string>();
  let running: AbortController | undefined;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const question = input.value.trim();
    if (question === "") return;
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const fields = fieldsOf(form);
    history.replaceState(null, "", `/ask?${fields}`);
    for (const asked of fields.getAll("asked")) fields.append("answered", answers.get(asked) ?? "");
    earlier.prepend(...shown.children);
    input.before(hiddenField("asked", question));
    input.value = "";
    document.querySelector("#ask-new")?.removeAttribute("hidden");
    const { turn, answer, words } = turnOf(question, form.dataset.reading ?? "");
    shown.replaceChildren(turn);
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
          answer.innerHTML = html;
          answers.set(question, answer.querySelector(".answer")?.textContent ?? "");
        },
      });
    } catch {
      if (signal.aborted) return;
      words.className = "problem";
      words.textContent = form.dataset.broken ?? "";
    }
  });
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  return fields;
}

function hiddenField(name: string, value: string): HTMLInputElement {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = name;
  field.value = value;
  return field;
}

/** Makes the place of a question and its answer. */
function turnOf(question: string, reading: string) {
  const turn = document.createElement("article");
  turn.className = "turn";
  const heading = document.createElement("h2");
  heading.dir = "auto";
  heading.textContent = question;
  const answer = document.createElement("div");
  const words = document.createElement("p");
  words.className = "lead muted";
  words.textContent = reading;
  answer.append(words);
  turn.append(heading, answer);
  return { turn, answer, words };
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
