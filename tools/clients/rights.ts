import { RIGHT_MEMBER } from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";

/** An operation of a service, the right that it needs, null where it is open, and the statuses that it documents. */
export type OperationRight = {
  service: string;
  id: string;
  method: string;
  path: string;
  right: string | null;
  statuses: number[];
};

/** Returns the operations of all documents with what each needs, as the guards of its routes say. */
export function operationRights(documents: ReadonlyMap<string, unknown>): OperationRight[] {
  return [...documents].flatMap(([service, document]) => {
    const paths = isObject(document) && isObject(document.paths) ? document.paths : {};
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
        if (!isObject(operation)) return [];
        const { [RIGHT_MEMBER]: right, operationId: id } = operation;
        const statuses = Object.keys(isObject(operation.responses) ? operation.responses : {}).map(Number);
        const shared = { service, id: String(id), method: method.toUpperCase(), path, statuses };
        return [{ ...shared, right: typeof right === "string" ? right : null }];
      }),
    );
  });
}

/** Stands before and behind the table within docs/keys.md. */
const BEGIN = "<!-- made by `bun run clients` from the guards of the routes -->";
const END = "<!-- end of what is made -->";

/** Returns the page on keys with the table of who may do what. @throws Error where it has no place for it */
export function keysPage(page: string, documents: ReadonlyMap<string, unknown>): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error("docs/keys.md has no place for its table");
  return `${head}${BEGIN}\n\n${rightsTable(operationRights(documents))}\n\n${END}${tail}`;
}

function rightsTable(rights: readonly OperationRight[]): string {
  const guarded = rights.filter(({ right }) => right !== null);
  const rows = guarded.map(({ service, method, path, right, id }) => [service, `${method} ${path}`, id, right ?? ""]);
  const all = [["Service", "Route", "Operation", "Needs"], ...rows];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("\n");
}
