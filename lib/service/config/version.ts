import manifest from "../../package.json" with { type: "json" };

/** The version of the platform's services. */
export const VERSION: string = manifest.version;
