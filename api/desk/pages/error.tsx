import type { AppError } from "@isnad/lib/service/http";
import { Bdi, Refused } from "../ui/text.tsx";
import type { PageBody, View } from "../view.ts";

const SHOWN = [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503] as const;

/** Makes a page of an error: what happened in the reader's words, and what to do. */
export function ErrorPage({ view, error }: { view: View; error: AppError }): PageBody {
  const { t } = view;
  const status = SHOWN.find((each) => each === error.status) ?? 500;
  const texts = t.common.error;
  const titles: Partial<Record<number, string>> = { 400: texts[422], 413: texts[422], ...texts };
  const title = titles[status] ?? texts.other;
  // What was not found is said in English alone, and the page says it in the reader's language.
  const isTold = status === 403 || (status === 404 && view.lang !== "en");
  const isRefused = Object.keys(error.errors ?? {}).length > 0;
  const body = (
    <section class="narrow">
      <h1>{title}</h1>
      {status === 404 && <p>{texts.notFoundHint}</p>}
      {status === 503 && <p>{texts.unavailableHint}</p>}
      {status === 403 && <p>{texts.crossSite}</p>}
      {error.message !== "" && !isTold && !isRefused && (
        <p class="muted">
          <Bdi lang="en">{error.message}</Bdi>
        </p>
      )}
      {isRefused && <Refused view={view} error={error} />}
      <p class="muted small">
        {texts.requestId}: <code dir="ltr">{view.c.var.requestId}</code>
      </p>
      <p>
        <a href="/">{texts.home}</a>
      </p>
    </section>
  );
  return { title, body, status };
}
