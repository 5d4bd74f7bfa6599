import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath, URL } from "node:url";
import type { HttpContext } from "@isnad/lib/service/http";

/** A file of the desk, under an address that changes with what it holds. */
export type Asset = { url: string; type: string; body: Uint8Array<ArrayBuffer> };

/** All files that pages of the desk load. */
export type DeskAssets = { style: Asset; script: Asset; icon: Asset; fonts: readonly Asset[]; all: readonly Asset[] };

const FONTS = ["vazirmatn-arabic", "vazirmatn-latin", "vazirmatn-latin-ext"] as const;

/** The parts of the one style sheet: the frame, then what pages add. */
const STYLES = ["desk.css", "reading.css"];

/** The fonts that nearly every page needs at once. */
const PRELOADED = ["vazirmatn-arabic", "vazirmatn-latin"];

const TYPES = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" };

/** Reads the files of the desk and bundles its script. */
export async function loadDeskAssets(): Promise<DeskAssets> {
  const read = async (path: string) => new Uint8Array(await readFile(fileURLToPath(new URL(path, import.meta.url))));
  const fonts = await Promise.all(
    FONTS.map(async (name) => {
      const path = import.meta.resolve(`@fontsource-variable/vazirmatn/files/${name}-wght-normal.woff2`);
      return asset(name, "woff2", "font/woff2", new Uint8Array(await readFile(fileURLToPath(path))));
    }),
  );
  const sheets = await Promise.all(STYLES.map(async (name) => new TextDecoder().decode(await read(`assets/${name}`))));
  const rules = sheets.join("\n");
  const css = FONTS.reduce((text, name, i) => text.replace(`url("${name}")`, `url("${fonts[i]?.url}")`), rules);
  const style = asset("desk", "css", TYPES.css, encode(css));
  const script = asset(
    "desk",
    "js",
    TYPES.js,
    encode(await bundle(fileURLToPath(new URL("islands/main.ts", import.meta.url)))),
  );
  const icon = asset("icon", "svg", TYPES.svg, await read("assets/icon.svg"));
  const preloaded = fonts.filter((_, i) => PRELOADED.includes(FONTS[i] ?? ""));
  return { style, script, icon, fonts: preloaded, all: [style, script, icon, ...fonts] };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function asset(name: string, extension: string, type: string, body: Uint8Array<ArrayBuffer>): Asset {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return { url: `/assets/${name}.${hash}.${extension}`, type, body };
}

/** Returns what serves the files, each for good: another content has another address. */
export function serveAssets({ all }: DeskAssets): (c: HttpContext) => Response | undefined {
  const byUrl = new Map(all.map((each) => [each.url, each]));
  return (c) => {
    const found = byUrl.get(c.req.path);
    if (found === undefined) return undefined;
    const headers = { "Content-Type": found.type, "Cache-Control": "public, max-age=31536000, immutable" };
    return new Response(found.body, { headers: { ...headers, ETag: `"${c.req.path.split(".").at(-2)}"` } });
  };
}

/** Describes what of Bun is used, without the types of Bun. */
type BunRuntime = {
  build(options: { entrypoints: string[]; minify: boolean; target: "browser" }): Promise<{
    outputs: { text(): Promise<string> }[];
  }>;
};

function isBun(value: unknown): value is BunRuntime {
  return typeof value === "object" && value !== null && "build" in value;
}

/** Makes one script for browsers of a TypeScript file and what it imports. */
async function bundle(entry: string): Promise<string> {
  const runtime: unknown = Reflect.get(globalThis, "Bun");
  if (!isBun(runtime)) throw new Error("the script of the desk is bundled by Bun");
  const { outputs } = await runtime.build({ entrypoints: [entry], minify: true, target: "browser" });
  return (await outputs[0]?.text()) ?? "";
}
