import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig, options } from "./mod.ts";

const problemsOf = (env: Record<string, string>): Record<string, string> => {
  try {
    loadConfig(env);
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.problems.map(({ name, rule }) => [name, rule]));
  }
};

describe("the documentation of the options", () => {
  test("says of each what it is, in one line, and its unit", () => {
    for (const { name, doc, unit } of options) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(doc).toMatch(/^\S[^\n]{10,130}\.$/);
      expect(unit).not.toBe("");
    }
  });

  test("gives defaults that pass their own rules", () => {
    const env = Object.fromEntries(options.map((option) => [option.name, option.default]));
    expect(loadConfig(env)).toEqual(loadConfig({}));
  });

  test("marks every credential as a secret", () => {
    const secret = options.filter((option) => option.secret).map((option) => option.name);
    const expected = ["INGEST_TOKEN", "METRICS_TOKEN", "SCRAPER_TOKEN", "EDGE_API_KEY", "API_PUBLIC_KEYS"];
    expect(secret).toEqual(
      expect.arrayContaining([...expected, "DATABASE_URL", "REDIS_URL", "OUTBOX_WEBHOOK_SECRET", "NEWSDATA_API_KEY"]),
    );
  });
});

describe("the rules of the options", () => {
  test("whole numbers are within their bounds", () => {
    const wrong = ["0", "-1", "1.5", "1e3", "abc", "10001", "0x10"];
    for (const value of wrong) expect(problemsOf({ INGEST_MAX_BATCH: value })).toHaveProperty("INGEST_MAX_BATCH");
    expect(loadConfig({ INGEST_MAX_BATCH: " 250 " }).ingest.maxBatch).toBe(250);
  });

  test("switches are true, false, 1 or 0", () => {
    const read = (value: string) => loadConfig({ INGEST_REQUIRE_KNOWN_SOURCE: value }).ingest.requireKnownSource;
    expect(["true", "1", "false", "0", ""].map(read)).toEqual([true, true, false, false, false]);
    expect(problemsOf({ INGEST_REQUIRE_KNOWN_SOURCE: "yes" })).toEqual({
      INGEST_REQUIRE_KNOWN_SOURCE: "must be true or false",
    });
  });

  test("URLs have the right scheme and lose a slash at the end", () => {
    expect(loadConfig({ RETRIEVAL_URL: "http://search.internal:9000/" }).retrievalUrl).toBe(
      "http://search.internal:9000",
    );
    expect(problemsOf({ RETRIEVAL_URL: "search.internal" })).toHaveProperty("RETRIEVAL_URL");
    expect(problemsOf({ REDIS_URL: "http://localhost" })).toHaveProperty("REDIS_URL");
    expect(loadConfig({ DATABASE_URL: "postgres://u:p@h/d" }).databaseUrl).toBe("postgres://u:p@h/d");
  });

  test("lists are split at commas and hold no empty entry", () => {
    expect(loadConfig({ INGEST_TOKEN: "old, new" }).tokens.ingest).toEqual(["old", "new"]);
    expect(problemsOf({ INGEST_TOKEN: "old,,new" })).toEqual({ INGEST_TOKEN: "must not hold an empty entry" });
    expect(problemsOf({ INGEST_TOKEN: "," })).toHaveProperty("INGEST_TOKEN");
    expect(problemsOf({ INGEST_TOKEN: "رمز" })).toHaveProperty("INGEST_TOKEN");
  });

  test("proxies are addresses or networks", () => {
    const proxies = "10.0.0.0/8, ::1, 192.0.2.7";
    expect(loadConfig({ TRUSTED_PROXIES: proxies }).trustedProxies).toEqual(["10.0.0.0/8", "::1", "192.0.2.7"]);
    for (const wrong of [
      "proxy.local",
      "10",
      "10.1",
      "010.0.0.1",
      "0x0a.0.0.1",
      "010.0.0.0/8",
      "10.0.0.0/33",
      "fe80::/129",
    ]) {
      expect(problemsOf({ TRUSTED_PROXIES: wrong })).toHaveProperty("TRUSTED_PROXIES");
    }
  });

  test("webhooks need a secret", () => {
    const webhooks = { OUTBOX_WEBHOOK_URLS: "https://a.test/hook" };
    expect(problemsOf(webhooks)).toHaveProperty("OUTBOX_WEBHOOK_SECRET");
    expect(loadConfig({ ...webhooks, OUTBOX_WEBHOOK_SECRET: "k" }).outbox).toEqual({
      webhookUrls: ["https://a.test/hook"],
      webhookSecret: "k",
      allowPrivateHosts: "",
    });
  });

  test("notices name a form, and need a mail server and a sender where they go by e-mail", () => {
    const urls = ["ntfy+https://ntfy.example/desk", "slack+https://hooks.example/T/B"];
    expect(loadConfig({ NOTICE_URLS: urls.join(", ") }).notices).toEqual({
      ...{ urls, lang: "en" },
      events: ["claim.repeated", "source.quiet", "source.doubled", "source.usual"],
    });
    const mail = { NOTICE_URLS: "mailto:desk@news.example", SMTP_URL: "smtp://u:p@mail.example:587" };
    const from = { SMTP_FROM: "Isnad <isnad@news.example>" };
    expect(loadConfig({ ...mail, ...from, NOTICE_EVENTS: "story.created", NOTICE_LANG: "ar" }).notices).toMatchObject({
      ...{ events: ["story.created"], lang: "ar" },
      smtp: { url: mail.SMTP_URL, from: from.SMTP_FROM },
    });
    expect(problemsOf(mail)).toHaveProperty("SMTP_FROM");
    expect(problemsOf({ ...mail, ...from, SMTP_FROM: "nobody" })).toHaveProperty("SMTP_FROM");
    expect(problemsOf({ NOTICE_URLS: "mailto:desk@news.example" })).toHaveProperty("SMTP_URL");
    for (const wrong of [
      "https://hooks.example/json",
      "mailto:a@b.example?cc=c@d.example",
      "ntfy+https://ntfy.example/",
    ])
      expect(problemsOf({ NOTICE_URLS: wrong })).toHaveProperty("NOTICE_URLS");
    expect(problemsOf({ NOTICE_EVENTS: "story.merged" })).toHaveProperty("NOTICE_EVENTS");
  });

  test("private hosts are names, addresses or networks, each with a port where one is meant", () => {
    const right = "localhost:8099, intranet 127.0.0.1 10.0.0.0/8,[::1]:80,::1, a_b.example.org";
    expect(loadConfig({ SCRAPER_ALLOW_PRIVATE_HOSTS: right }).scraper.allowPrivateHosts).toBe(right);
    for (const wrong of ["http://localhost", "*", "10.0.0.0/99", "[localhost]", "a:b", "a:1:2", "a/b"]) {
      expect(problemsOf({ SCRAPER_ALLOW_PRIVATE_HOSTS: `localhost, ${wrong}` })).toHaveProperty(
        "SCRAPER_ALLOW_PRIVATE_HOSTS",
      );
      expect(problemsOf({ OUTBOX_ALLOW_PRIVATE_HOSTS: wrong })).toHaveProperty("OUTBOX_ALLOW_PRIVATE_HOSTS");
    }
  });

  test("a user agent begins with a product token and fits into a header", () => {
    const agent = "NewsBot/2.1 (+https://news.example/bot; desk@news.example)";
    expect(loadConfig({ SCRAPER_USER_AGENT: agent }).scraper.userAgent).toBe(agent);
    for (const wrong of ["(+https://news.example)", "Bot/1\r\nX: y", "Bot/1 رابط", "1Bot/1"]) {
      expect(problemsOf({ SCRAPER_USER_AGENT: wrong })).toHaveProperty("SCRAPER_USER_AGENT");
    }
  });

  test("the scraper's output goes below the data folder unless told otherwise", () => {
    expect(loadConfig({ DATA_DIR: "/srv/isnad" }).scraper.outputDir).toBe("/srv/isnad/scraper");
    expect(loadConfig({ SCRAPER_OUTPUT_DIR: "/srv/out" }).scraper.outputDir).toBe("/srv/out");
  });
});

describe("ports", () => {
  test("PORT is the port of the service that is started alone, and of no other", () => {
    expect(loadConfig({ PORT: "9000" }, { service: "api" }).ports).toMatchObject({ api: 9000, retrieval: 8082 });
    expect(loadConfig({ PORT: "9000" }).ports.api).toBe(8080);
  });

  test("a service's own variable always works", () => {
    expect(loadConfig({ PORT: "9000", API_PORT: "9001" }, { service: "api" }).ports.api).toBe(9001);
    const config = loadConfig({ API_PORT: "9001", RETRIEVAL_PORT: "9002" });
    expect(config).toMatchObject({ apiUrl: "http://127.0.0.1:9001", retrievalUrl: "http://127.0.0.1:9002" });
  });

  test("a wildcard host is reached over loopback, and an IPv6 one in brackets", () => {
    expect(loadConfig({ HOST: "0.0.0.0" }).retrievalUrl).toBe("http://127.0.0.1:8082");
    expect(loadConfig({ HOST: "::1" }).apiUrl).toBe("http://[::1]:8080");
  });
});

test("a password in an address is percent-encoded", () => {
  for (const name of ["DATABASE_URL", "REDIS_URL"]) {
    const address = (password: string) => `${name === "REDIS_URL" ? "redis" : "postgres"}://u:${password}@h/0`;
    expect(problemsOf({ [name]: address("half%25way") })).toEqual({});
    expect(problemsOf({ [name]: address("half%way") })).toEqual({
      [name]: "must have the user and password percent-encoded, a % as %25",
    });
  }
});

test("a key that is sent as a header holds nothing that ends one", () => {
  for (const name of ["MODELS_HUB_TOKEN", "NEWSDATA_API_KEY", "LLM_API_KEY"]) {
    expect(problemsOf({ [name]: "secret\nHost: b" })[name]).toBe("must consist of visible ASCII characters");
  }
});

describe("secrets in files", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "isnad-secret-"));
    await writeFile(join(dir, "token"), "  from-file\n");
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  test("are read without surrounding white space", () => {
    expect(loadConfig({ INGEST_TOKEN_FILE: join(dir, "token") }).tokens.ingest).toEqual(["from-file"]);
  });

  test("must not be given twice", () => {
    expect(problemsOf({ INGEST_TOKEN_FILE: join(dir, "token"), INGEST_TOKEN: "x" })).toEqual({
      INGEST_TOKEN: "and INGEST_TOKEN_FILE must not both be set",
    });
  });

  test("must be readable", () => {
    expect(problemsOf({ INGEST_TOKEN_FILE: join(dir, "absent") })).toEqual({
      INGEST_TOKEN_FILE: "must name a readable file",
    });
  });

  test("must not be empty: a key that is not there yet opens nothing", async () => {
    await writeFile(join(dir, "empty"), " \n");
    for (const name of ["API_PUBLIC_KEYS", "DATABASE_URL", "SCRAPER_AUTH_PAPER"]) {
      expect(problemsOf({ [`${name}_FILE`]: join(dir, "empty") })).toEqual({
        [`${name}_FILE`]: "must name a file that is not empty",
      });
    }
  });

  test("exist for secrets only", () => {
    expect(loadConfig({ HOST_FILE: join(dir, "token") }).host).toBe("127.0.0.1");
  });
});
