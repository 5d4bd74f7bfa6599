/**
 * Run in a network of its own, in which 127.0.0.1 is the name server: serves what needs no database, asks each service
 * for what its models answer, and prints the names that were looked up meanwhile as a JSON list. The last one is looked
 * up by this program itself, so that an empty ear is noticed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createSocket } from "node:dgram";

const CANARY = "canary.test";
const SERVICES = {
  "nlp/linguistic": { port: 8083, path: "/ner", body: { text: "قال رئيس بلدية نابلس إن المدرسة ستفتح" } },
  edge: { port: 8787, path: "/llm/embed", body: { texts: ["A ferry leaves at nine."] } },
};

const names = new Set<string>();
const server = createSocket("udp4");
server.on("message", (message, { port, address }) => {
  names.add(nameIn(message));
  // "There is no such name": the answer is the question with its flags set.
  const answer = Buffer.from(message);
  answer.writeUInt16BE(0x8183, 2);
  server.send(answer, port, address);
});
await new Promise<void>((resolve) => server.bind(53, "127.0.0.1", resolve));

const children = Object.keys(SERVICES).map((service) =>
  spawn(process.execPath, [`${service}/main.ts`], { stdio: ["pipe", "ignore", "inherit"] }),
);
for (const { port, path, body } of Object.values(SERVICES)) {
  const headers = { "content-type": "application/json", "x-api-key": process.env.EDGE_API_KEY ?? "" };
  const ask = () => fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  let response = await ask().catch(() => undefined);
  while (response === undefined) {
    await sleep(50);
    response = await ask().catch(() => undefined);
  }
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
}
await fetch(`http://${CANARY}/`).catch(() => undefined);
for (const child of children) child.kill();
await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
process.stdout.write(JSON.stringify([...names]));
process.exit(0);

/** Returns the name that a question to a name server asks for. */
function nameIn(message: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; (message[at] ?? 0) > 0; at += 1 + (message[at] ?? 0)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + (message[at] ?? 0)));
  }
  return labels.join(".");
}
