export { askBy } from "./page.ts";
export { mcpOverHttp, mcpOverStdio } from "./server.ts";
