import process from "node:process";
import { lockStart, openLayout } from "./layout.ts";

/** A process that waits for the lock of a folder while its clock is set ahead: it says `set`, then `locked`. */
const layout = await openLayout(process.argv[2] ?? "");
const waiting = lockStart(layout);
const ahead = Date.now() + 3_600_000;
Date.now = () => ahead;
process.stdout.write("set\n");
const lock = await waiting;
process.stdout.write("locked\n");
lock.release();
