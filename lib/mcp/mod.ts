export { type Ask, askBy } from "./ask.ts";
export { mcpOverHttp, mcpOverStdio } from "./server.ts";
