export { type QueryField, type QueryNode, readQuery } from "./parse.ts";
