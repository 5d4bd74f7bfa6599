import { listen } from "@isnad/lib/service/http";
import { parseHTML } from "linkedom";
import { type TestApi, testApi } from "../../testing.ts";
import { loadDeskAssets } from "../mod.ts";

/** The API with its desk, for tests; `url` is where browsers find it. */
export type TestDesk = TestApi & {
  site: string;
  /** Requests a page as a browser does, and returns it parsed. */
  page(path: string, init?: RequestInit): Promise<{ response: Response; document: Document }>;
  /** Sends a form as the desk's own page would. */
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
};

type Document = ReturnType<typeof parseHTML>["document"];

/** Makes the API with its desk over a database of its own, listening; call `close()` when done. */
export async function testDesk(env: Record<string, string> = {}): Promise<TestDesk> {
  const api = await testApi(env, await loadDeskAssets());
  const server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
  const site = server.url.replace(/\/$/, "");
  const html = { accept: "text/html", "accept-language": "en" };
  return {
    ...api,
    site,
    async page(path, init = {}) {
      const headers = { ...html, ...Object.fromEntries(new Headers(init.headers)) };
      const response = await fetch(`${site}${path}`, { redirect: "manual", ...init, headers });
      return { response, document: parseHTML(await response.clone().text()).document };
    },
    form: (path, fields, headers = {}) =>
      fetch(`${site}${path}`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams(fields),
        headers: { ...html, origin: site, ...headers },
      }),
    close: async () => {
      await server.stop(0);
      await api.close();
    },
  };
}
