import { loadTaxonomy } from "@isnad/lib/service/config";
import type { Profiles } from "../profiles/profiles.ts";
import { createProfileSchema, type Profile } from "../profiles/schema.ts";

/** A valid profile as its file has it; `over` replaces or adds fields. */
export function profileFile(over: Record<string, unknown> = {}): Record<string, unknown> {
  const name = String(over.name ?? "alpha");
  return {
    name,
    provider: name,
    language: "en",
    schedule: "*/15 * * * *",
    source: { id: name, name: "Alpha News", tier: 2, homepage: "https://alpha.test/" },
    feeds: [{ url: "https://alpha.test/feed.xml" }],
    ...over,
  };
}

const schema = createProfileSchema(loadTaxonomy().categories);

/** A profile with its defaults; `over` as its file would have it. */
export function testProfile(over: Record<string, unknown> = {}): Profile {
  return schema.parse(profileFile(over));
}

/** Profiles that tests put in force by `put`. */
export function testProfiles(...initial: Profile[]): Profiles & { put(...profiles: Profile[]): void } {
  let inForce = initial;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    all: () => inForce,
    get: (name) => inForce.find((profile) => profile.name === name),
    problems: () => [],
    reload: async () => tell(),
    onReload: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    put: (...profiles) => {
      inForce = profiles;
      tell();
    },
  };
}
