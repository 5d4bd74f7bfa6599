import type { Child } from "hono/jsx";
import type { Asset, DeskAssets } from "./assets.ts";
import { DIRECTIONS, type Language } from "./strings/mod.ts";
import { type Theme, type View, withQuery } from "./view.ts";

/** The sections of the desk, in the order of the navigation, with their addresses. */
const SECTIONS = [
  { name: "today", path: "/" },
  { name: "search", path: "/search" },
  { name: "claims", path: "/claims" },
  { name: "ask", path: "/ask" },
  { name: "analyse", path: "/analyse" },
  { name: "sources", path: "/sources" },
  { name: "state", path: "/state" },
] as const;
export type SectionName = (typeof SECTIONS)[number]["name"];

type FrameProps = {
  view: View;
  assets: DeskAssets;
  title: string;
  /** The sections that there are. */
  sections: readonly SectionName[];
  children?: Child;
};

const THEMES: readonly Theme[] = ["auto", "light", "dark"];

/** Renders a whole page: head, sections, search field, what the page is about, and the list of keys. */
export function Frame({ view, assets, title, sections, children }: FrameProps) {
  const { t, lang, theme } = view;
  const shown = SECTIONS.filter(({ name }) => sections.includes(name));
  return (
    <html lang={lang} dir={DIRECTIONS[lang]} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "auto" ? "light dark" : theme} />
        <title>{`${title} · ${t.common.site}`}</title>
        <link rel="icon" href={assets.icon.url} type="image/svg+xml" />
        {assets.fonts.map((font: Asset) => (
          <link rel="preload" href={font.url} as="font" type="font/woff2" crossorigin="anonymous" />
        ))}
        <link rel="stylesheet" href={assets.style.url} />
        <script type="module" src={assets.script.url} />
      </head>
      <body>
        <a class="skip" href="#content">
          {t.common.skip}
        </a>
        <header class="masthead">
          <div class="masthead-row">
            <a class="wordmark" href="/">
              {t.common.site}
            </a>
            {view.reader !== "none" && <SearchField view={view} />}
          </div>
          <div class="masthead-row">
            {view.reader !== "none" && (
              <nav class="sections" aria-label={t.common.sections}>
                {shown.map(({ name, path }) => (
                  <a href={path} data-go={name} aria-current={isCurrent(view, path) ? "page" : undefined}>
                    {t.common.nav[name]}
                  </a>
                ))}
              </nav>
            )}
            <Settings view={view} />
          </div>
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="colophon">
          <p>{t.common.tagline}</p>
          <button type="button" class="linklike" data-island="keys" hidden>
            {t.common.keys.open}
          </button>
        </footer>
        <KeyList view={view} sections={shown} />
      </body>
    </html>
  );
}

function isCurrent({ url }: View, path: string): boolean {
  return path === "/" ? url.pathname === "/" : url.pathname === path || url.pathname.startsWith(`${path}/`);
}

function SearchField({ view }: { view: View }) {
  const { t, url } = view;
  const isSearch = url.pathname === "/search";
  // The page of searches has a field of its own, with all that goes with it.
  if (isSearch) return <span class="spread" />;
  return (
    <search class="quick-search">
      <form action="/search" data-island="suggest">
        <label class="visually-hidden" for="quick-q">
          {t.common.searchLabel}
        </label>
        <input
          id="quick-q"
          type="search"
          name="q"
          dir="auto"
          placeholder={t.common.searchLabel}
          maxlength={512}
          autocomplete="off"
        />
        <button type="submit">{t.common.searchSubmit}</button>
      </form>
    </search>
  );
}

function Settings({ view }: { view: View }) {
  const { t, lang, theme, url } = view;
  const other: Language = lang === "ar" ? "en" : "ar";
  const here = (change: Record<string, string>) =>
    withQuery(url.pathname, { ...Object.fromEntries(url.searchParams), ...change });
  return (
    <nav class="settings" aria-label={t.common.settings}>
      <a href={here({ hl: other })} lang={other} hreflang={other} title={t.common.otherLanguageLabel}>
        {t.common.otherLanguage}
      </a>
      <details class="menu">
        <summary>{t.common.themesLabel}</summary>
        <ul>
          {THEMES.map((each) => (
            <li>
              <a href={here({ theme: each })} aria-current={each === theme ? "true" : undefined}>
                {t.common.themes[each]}
              </a>
            </li>
          ))}
        </ul>
      </details>
      {view.reader === "session" && (
        <form method="post" action="/sign-out">
          <button type="submit" class="linklike">
            {t.common.signOut}
          </button>
        </form>
      )}
      {view.reader === "local" && <span class="muted">{t.common.local}</span>}
    </nav>
  );
}

/** Second letters of `g …`, by section. */
const GO_KEYS: Readonly<Record<SectionName, string>> = {
  ...{ today: "t", search: "s", claims: "c", ask: "a", analyse: "l", sources: "o", state: "e" },
};

function KeyList({ view, sections }: { view: View; sections: readonly { name: SectionName; path: string }[] }) {
  const { t } = view;
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">{t.common.keys.title}</h2>
      <dl class="keys">
        <Key keys={["/"]}>{t.common.keys.search}</Key>
        <Key keys={["j"]}>{t.common.keys.next}</Key>
        <Key keys={["k"]}>{t.common.keys.previous}</Key>
        <Key keys={["Enter"]}>{t.common.keys.openEntry}</Key>
        <Key keys={["f"]}>{t.common.keys.filters}</Key>
        <Key keys={["s"]}>{t.common.keys.save}</Key>
        {sections.map(({ name, path }) => (
          <Key keys={["g", GO_KEYS[name]]} go={path}>
            {t.common.keys.goto(t.common.nav[name])}
          </Key>
        ))}
        <Key keys={["?"]}>{t.common.keys.help}</Key>
      </dl>
      <form method="dialog" class="dialog-end">
        <label class="check">
          <input type="checkbox" id="keys-enabled" checked /> {t.common.keys.enabled}
        </label>
        <button type="submit">{t.common.keys.close}</button>
      </form>
    </dialog>
  );
}

function Key({ keys, go, children }: { keys: readonly string[]; go?: string; children?: Child }) {
  return (
    <div data-go-key={go === undefined ? undefined : keys[1]} data-go-path={go}>
      <dt dir="ltr">
        {keys.map((key) => (
          <kbd>{key}</kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
