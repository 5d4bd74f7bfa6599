import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import { databaseFindings, engineFindings, redisFindings } from "./stores.ts";
import type { Finding } from "./finding.ts";
import { machineFindings, modelFindings, portFindings, settingFindings } from "./machine.ts";
import { serviceFindings, upstreamFindings } from "./services.ts";

/** `doctor`: looks at everything that the platform stands on. */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Says what is set, what is reachable, which versions there are, and what would fail.",
  positionals: { usage: "", min: 0, max: 0 },
  options: { problems: { kind: "flag", help: "show only what is not as it should be" } },
  details: `Changes nothing and starts nothing. Values of secrets are not shown. Exit code 1 when something fails.`,
  async run({ values }, { env, json, stdout }) {
    const all = await look(env);
    const shown = values.problems ? all.filter(({ state }) => state !== "ok") : all;
    const failed = all.filter(({ state }) => state === "fail").length;
    if (json) writeJson(stdout, { ok: failed === 0, findings: shown });
    else {
      for (const { area, name, state, detail } of shown) {
        stdout.write(`${state.padEnd(5)} ${area.padEnd(11)} ${name.padEnd(14)} ${detail}\n`);
      }
      stdout.write(failed === 0 ? "nothing would fail\n" : `${failed} would fail\n`);
    }
    return failed === 0 ? 0 : 1;
  },
});

async function look(env: Record<string, string | undefined>): Promise<Finding[]> {
  const { config, list } = await settingFindings(env);
  if (config === undefined) return list;
  const stack = await serviceFindings(config);
  const rest = await Promise.all([
    machineFindings(config),
    stack.running ? [] : portFindings(config),
    databaseFindings(config),
    redisFindings(config),
    engineFindings(config),
    stack.list,
    upstreamFindings(config),
    modelFindings(config),
  ]);
  return [...list, ...rest.flat()];
}
