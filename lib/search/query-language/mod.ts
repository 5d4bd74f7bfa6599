export {
  QUERY_FIELDS,
  QUERY_MATCHES,
  type QueryField,
  type QueryMatch,
  type QueryNode,
  type ReadQuery,
  readQuery,
} from "./parse.ts";
