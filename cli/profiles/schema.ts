import { defineCommand } from "@isnad/lib/service/cli";
import { SHIPPED_PROFILES, syncSchemaFile } from "../../scraper/profiles/load-profiles.ts";

/** `scraper:schema`: writes profiles/profile.schema.json, or says whether it is up to date. */
export const scraperSchema = defineCommand({
  name: "scraper:schema",
  summary: "Writes profiles/profile.schema.json from the schema that validates profiles.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    check: { kind: "flag", help: "write nothing; fail when the file is not what the schema says" },
    dir: { kind: "text", value: "FOLDER", help: "the folder of profiles", default: SHIPPED_PROFILES },
  },
  async run({ values }, { stderr }) {
    if (syncSchemaFile(values.dir, { write: !values.check })) return 0;
    stderr.write("scraper:schema: profile.schema.json is not what the schema says; run: bun run scraper:schema\n");
    return 1;
  },
});
