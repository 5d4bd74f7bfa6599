import type { PageBody, View } from "../view.ts";

/** Makes the page of signing in: a field for a key, and how one is made. */
export function SignInPage({ view, next, problem }: { view: View; next: string; problem?: string }): PageBody {
  const { t } = view;
  const body = (
    <section class="narrow">
      <h1>{t.common.signIn}</h1>
      <p>{t.common.signInLead}</p>
      <form method="post" action="/sign-in" class="stack">
        <input type="hidden" name="next" value={next} />
        <label for="key">{t.common.keyLabel}</label>
        <input
          id="key"
          name="key"
          type="password"
          dir="ltr"
          required
          maxlength={512}
          autocomplete="current-password"
          aria-describedby={problem === undefined ? undefined : "key-problem"}
          aria-invalid={problem === undefined ? undefined : "true"}
        />
        {problem !== undefined && (
          <p id="key-problem" class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary">
          {t.common.signIn}
        </button>
      </form>
      <p class="muted">{t.common.signInHow}</p>
      <pre dir="ltr">bun run keys create --name desk --scope read,desk</pre>
    </section>
  );
  return { title: t.common.signIn, body, status: problem === undefined ? 200 : 401 };
}
