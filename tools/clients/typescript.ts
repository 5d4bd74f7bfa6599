import type { ClientOperation } from "./operations.ts";

const HEAD = "// Made by `bun run clients` from the OpenAPI documents of the services: do not edit.\n";

/** Returns `operations.ts` of the TypeScript client: how each operation is sent, and a method for each. */
export function typescriptOperations(operations: readonly ClientOperation[]): string {
  const entries = operations.map(({ id, method, path, inPath, inQuery, body }) => {
    const fields = [
      `method: "${method.toUpperCase()}"`,
      `path: "${path}"`,
      `inPath: ${JSON.stringify(inPath.map(({ name }) => name))}`,
      `inQuery: ${JSON.stringify(inQuery.map(({ name }) => name))}`,
      ...(body === undefined ? [] : [`body: "${body.kind}"`]),
    ];
    return `  ${id}: { ${fields.join(", ")} },`;
  });
  const takes = (name: string) => operations.filter(({ inQuery }) => inQuery.some((each) => each.name === name));
  const group = (maker: string, some: readonly ClientOperation[]): string[] =>
    some.map(({ id, summary }) => `/** ${summary}. */\n${id}: ${maker}("${id}"),`);
  return `${HEAD}
import type { Makers } from "../client.ts";

/** Says how each operation is sent. */
export const OPERATIONS = {
${entries.join("\n")}
} as const;

/** Makes the methods of a client, one an operation. */
export const methodsOf = ({ call, pages, rows, stream }: Makers) => ({
${group("call", operations).join("\n")}
/** The pages of what comes in pages, to the end. */
pages: {
${group("pages", takes("cursor")).join("\n")}
},
/** All rows of a list, one by one as they are found, without a bound. */
rows: {
${group("rows", takes("format")).join("\n")}
},
/** The events of an answer that comes bit by bit. */
stream: {
${group(
  "stream",
  operations.filter(({ streams, path }) => streams && path !== "/mcp"),
).join("\n")}
},
});
`;
}
