import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import { makeSecrets } from "./make-secrets.ts";

/** `compose:secrets`: makes the files that `compose.yaml` mounts as secrets. */
export const composeSecrets = defineCommand({
  name: "compose:secrets",
  summary: "Makes the passwords and tokens that compose.yaml reads, each in a file of its own.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {},
  details: "They go into the folder that SECRETS_DIR names (secrets). What is there stays as it is.",
  async run(_input, { env, stdout, json }) {
    const dir = env.SECRETS_DIR?.trim() || "secrets";
    const made = makeSecrets(dir);
    if (json) writeJson(stdout, { dir, made });
    else stdout.write(made.length === 0 ? `${dir}: all there\n` : `${dir}: made ${made.join(", ")}\n`);
    return 0;
  },
});
