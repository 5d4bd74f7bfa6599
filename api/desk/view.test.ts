import { describe, expect, test } from "bun:test";
import { AppError, z } from "@isnad/lib/service/http";
import { askBy, attempt, problemOf, withQuery } from "./view.ts";

describe("withQuery", () => {
  test.each([
    ["/a", {}, "/a"],
    ["/a", { q: undefined, lang: "" }, "/a"],
    ["/a", { q: "ميناء & b", n: 0, is: false }, "/a?q=%D9%85%D9%8A%D9%86%D8%A7%D8%A1+%26+b&n=0&is=false"],
    ["/a", { entity: ["1", "2"], none: [] }, "/a?entity=1&entity=2"],
  ])("%s with %j is %s", (path, query, address) => {
    expect(withQuery(path, query)).toBe(address);
  });
});

describe("problemOf", () => {
  const body = { type: "/errors/validation-error", title: "T", status: 422, detail: "No.", instance: "/x" };

  test("is the error that the API said, with its status and its fields", () => {
    const error = problemOf(422, { ...body, errors: { q: ["is required"] } });
    expect(error).toMatchObject({
      slug: "validation-error",
      status: 422,
      message: "No.",
      errors: { q: ["is required"] },
    });
  });

  test.each([
    ["another type", { ...body, type: "/errors/of-nobody" }],
    ["no document", "gone"],
    ["nothing", undefined],
  ])("of %s is an internal error under the status that came", (_, said) => {
    expect(problemOf(502, said)).toMatchObject({ slug: "internal-error", status: 502 });
  });
});

describe("askBy", () => {
  const Schema = z.object({ n: z.number() });
  const answering = (response: Response) => askBy(async () => response);

  test("gives what the schema says of an answer, and throws for another shape", async () => {
    expect(await answering(Response.json({ n: 1, more: 2 }))(Schema, "/a")).toEqual({ n: 1 });
    await expect(answering(Response.json({ n: "1" }))(Schema, "/a")).rejects.toThrow();
    await expect(answering(new Response("<html>"))(Schema, "/a")).rejects.toThrow();
  });

  test("of an answer without content is nothing", async () => {
    expect(await answering(new Response(null, { status: 204 }))(z.undefined(), "/a")).toBeUndefined();
  });

  test("throws the problem of an answer that is none", async () => {
    const problem = { type: "/errors/not-found", title: "T", status: 404, detail: "No article.", instance: "/a" };
    await expect(answering(Response.json(problem, { status: 404 }))(Schema, "/a")).rejects.toMatchObject({
      ...{ slug: "not-found", status: 404, message: "No article." },
    });
  });
});

describe("attempt", () => {
  test("is a value, or the error of the API; another error is nobody's to show", async () => {
    const error = new AppError("not-found", "No.");
    expect(await attempt(Promise.resolve(3))).toEqual({ value: 3 });
    expect(await attempt(Promise.reject(error))).toEqual({ error });
    await expect(attempt(Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
