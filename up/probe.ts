/**
 * `bun up/probe.ts URL`: exit code 0 when the address answers 2xx within two seconds. What containers are checked with:
 * their image has no other client.
 */
import { answers } from "./ready.ts";

process.exitCode = (await answers(process.argv[2] ?? "", 2_000)) ? 0 : 1;
