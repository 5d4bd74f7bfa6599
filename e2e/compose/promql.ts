import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { parse } from "yaml";
import { z } from "@isnad/lib/service/http";

const Alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(1),
});

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../monitoring/${name}`, import.meta.url)), "utf8");

/** Every expression of the alert rules and of the dashboard, with the rule's or panel's name. */
export function expressionsInMonitoring(): { place: string; expr: string }[] {
  const alerts = Alerts.parse(parse(read("alerts.yaml"), { merge: true }));
  const dashboard = Dashboard.parse(JSON.parse(read("dashboard.json")));
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ place: alert, expr }))),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
  ];
}

/** Words of PromQL that are no names. */
const WORDS = new Set(["by", "without", "and", "or", "unless", "on", "ignoring", "bool", "offset"]);

/** The names of metrics in a PromQL expression, and the labels that it groups and selects by. */
export function namesIn(expr: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = [];
  const bare = expr
    .replaceAll(/\{([^}]*)\}/g, (_, inside: string) => {
      for (const [, label = ""] of inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.push(label);
      return " ";
    })
    .replaceAll(/\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without)\s*\(([^)]*)\)/g, (_, inside: string) => {
      labels.push(...inside.split(",").map((label) => label.trim()));
      return " ";
    });
  const metrics = Array.from(bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/gi), ([, name = ""]) => name);
  return { metrics: metrics.filter((name) => !WORDS.has(name) && !/^e\d/.test(name)), labels };
}
