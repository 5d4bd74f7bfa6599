import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createRoute, problems, z } from "../mod.ts";
import { testService } from "../testing.ts";
import { renderPage, renderSchema, typeName } from "./page.ts";

const Node = z
  .object({
    title: z.string().min(1).max(512).openapi({ description: "عنوان" }),
    lang: z.enum(["ar", "en"]).nullable(),
    tags: z.array(z.object({ name: z.string() })).optional(),
  })
  .openapi("Node");

function service() {
  const made = testService({ description: "First <b>paragraph</b>.\n\nSecond." });
  const route = createRoute({
    method: "post",
    path: "/nodes/{id}",
    tags: ["nodes"],
    summary: "Keep a node <script>",
    request: {
      params: z.object({ id: z.string() }),
      body: { required: true, content: { "application/json": { schema: Node, example: { title: "</textarea>" } } } },
    },
    responses: {
      200: { description: "Kept.", content: { "application/json": { schema: Node } } },
      ...problems("conflict"),
    },
  });
  made.app.openapi(route, (c) => c.json(c.req.valid("json"), 200));
  return made.app;
}

test("the document says what schemas check: null beside a named one, patterns without flags, 304 by a tag", async () => {
  const { app, access } = testService({ entityTags: true });
  const words = { any: z.string().regex(/^a.$/i), letters: z.string().regex(/^\S.$/u), plain: z.string().regex(/^a$/) };
  const Holder = z.object({ always: Node, node: Node.nullable().openapi({ description: "Or none." }), ...words });
  const content = { "application/json": { schema: Holder } };
  const route = createRoute({ method: "get", path: "/one", responses: { 200: { description: "One.", content } } });
  app.openapi({ ...route, middleware: [access.read()] }, (c) =>
    c.json({ always: { title: "a", lang: null }, node: null, any: "", letters: "", plain: "" }),
  );
  const { paths } = JSON.parse(await (await app.request("/openapi.json")).text());
  const { 200: ok, 304: same } = paths["/one"].get.responses;
  expect(ok.content["application/json"].schema.properties).toEqual({
    always: { $ref: "#/components/schemas/Node" },
    node: { anyOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }], description: "Or none." },
    any: { type: "string" },
    letters: { type: "string", pattern: "^\\S.$" },
    plain: { type: "string", pattern: "^a$" },
  });
  expect(same).toEqual({ description: expect.stringContaining("If-None-Match") });
  expect(paths["/livez"].get.responses).not.toHaveProperty("304");
  // Whatever a route takes, it refuses a query parameter that it does not know.
  for (const path of ["/livez", "/readyz", "/health", "/metrics", "/openapi.json", "/docs"]) {
    expect([path, paths[path].get.responses[422].content]).toEqual([
      path,
      { "application/problem+json": expect.anything() },
    ]);
  }
});

describe("the page over the OpenAPI document", () => {
  test("shows every operation with its fields, rules and answers", async () => {
    const res = await service().request("/docs");
    expect(res.headers.get("content-type")).toStartWith("text/html");
    const page = await res.text();
    for (const part of [
      "/nodes/{id}",
      "POST",
      "maxLength 512",
      "عنوان",
      "array of object",
      "409",
      "Conflict",
      "/livez",
      "/readyz",
    ]) {
      expect(page).toContain(part);
    }
  });

  test("loads nothing from anywhere, and its policy forbids it", async () => {
    const res = await service().request("/docs");
    const page = await res.text();
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page).not.toContain("@import");
    expect(res.headers.get("content-security-policy")).toStartWith("default-src 'none'");
  });

  test("carries exactly the style and the script that its policy allows", async () => {
    const { body, policy } = await renderPage({});
    for (const tag of ["style", "script"]) {
      const content = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(body)?.[1] ?? "";
      expect(content.length).toBeGreaterThan(100);
      expect(policy).toContain(`sha256-${createHash("sha256").update(content).digest("base64")}`);
    }
  });

  test("escapes what routes and descriptions say", async () => {
    const page = await (await service().request("/docs")).text();
    expect(page).not.toContain("<b>paragraph</b>");
    expect(page).not.toContain("a node <script>");
    expect(page.match(/<\/textarea>/g)).toHaveLength(1);
  });

  test("marks text that may be Arabic with its own direction, and uses logical properties only", async () => {
    const { body } = await renderPage({ info: { title: "t", description: "وصف" } });
    expect(body).toContain('<p dir="auto">وصف</p>');
    const style = await Bun.file(new URL("page.css", import.meta.url)).text();
    expect(style).not.toMatch(/(margin|padding|border)-(left|right)|text-align: (left|right)|float:/);
  });
});

describe("renderSchema()", () => {
  const schemas: Record<string, unknown> = {
    Tree: { type: "object", properties: { child: { $ref: "#/Tree" }, n: { type: ["integer", "null"] } } },
  };
  const resolve = (ref: string) => schemas[ref.slice(2)];

  test("follows references, and stops where they recur", async () => {
    const markup = String(await renderSchema({ $ref: "#/Tree" }, resolve));
    expect(markup).toContain("<code>child</code>");
    expect(markup).toContain("integer or null");
    expect(markup.match(/<code>child<\/code>/g)).toHaveLength(1);
  });

  test("names types in words", () => {
    const names = [
      { type: "array", items: { type: "string" } },
      { enum: ["a", 1] },
      { const: true },
      {},
      undefined,
    ].map((node) => typeName(node, resolve));
    expect(names).toEqual(["array of string", '"a" | 1', "true", "any", "any"]);
  });
});
