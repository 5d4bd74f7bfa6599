export { askBy } from "./tool.ts";
export { mcpOverHttp, mcpOverStdio } from "./server.ts";
