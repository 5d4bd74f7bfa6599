/**
 * `bun cli/up/probe.ts URL`: exits with 0 when the address answers 2xx within two seconds. Containers are checked so:
 * their image has no other client.
 */
import { answers } from "./services.ts";

process.exitCode = (await answers(process.argv[2] ?? "", 2_000)) ? 0 : 1;
