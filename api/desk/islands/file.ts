/** Lets a file be chosen in place of pasting its text: it is read into the field that it is for. */
export function mountFile(form: HTMLElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>("input[data-file-for]")) {
    const field = form.querySelector<HTMLTextAreaElement>(`#${input.dataset.fileFor}`);
    if (field === null) continue;
    input.closest("label")?.removeAttribute("hidden");
    input.addEventListener("change", async () => {
      field.value = (await input.files?.[0]?.text()) ?? field.value;
    });
  }
}
