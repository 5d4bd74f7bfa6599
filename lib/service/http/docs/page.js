const filter = document.querySelector("#filter");
filter.addEventListener("input", () => {
  const wanted = filter.value.trim().toLowerCase();
  for (const operation of document.querySelectorAll(".op")) operation.hidden = !operation.dataset.text.includes(wanted);
});

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    output.textContent = "…";
    try {
      const response = await send(form);
      const text = await response.text();
      output.textContent = `${response.status} ${response.statusText}\n\n${pretty(text)}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
}

function send(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const field of form.querySelectorAll("input")) {
    if (field.value === "") continue;
    const place = field.dataset.in;
    if (place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    if (place === "query") query.set(field.name, field.value);
    if (place === "header") headers.set(field.name, field.value);
    if (place === "credential") {
      headers.set("Authorization", `Bearer ${field.value}`);
      headers.set("X-Api-Key", field.value);
      headers.set("X-Metrics-Token", field.value);
    }
  }
  const body = form.querySelector("textarea")?.value;
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const base = location.pathname.replace(/\/docs$/, "");
  const search = query.size > 0 ? `?${query}` : "";
  return fetch(base + path + search, { method: form.dataset.method.toUpperCase(), headers, body });
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
