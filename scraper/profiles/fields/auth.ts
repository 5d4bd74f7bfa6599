import { z } from "@isnad/lib/service/http";
import { described, section } from "./described.ts";

/** A credential that the environment holds; the file names its variable alone. */
export const Auth = section({
  env: described(
    z.string().regex(/^SCRAPER_AUTH_[A-Z0-9_]{1,64}$/, {
      error: "must be SCRAPER_AUTH_ and 1 to 64 of A-Z, 0-9 and _",
    }),
    {
      en: "Name of the environment variable that holds the header's value, such as `Bearer abc`.",
      ar: "اسم متغير البيئة الذي يحمل قيمة الترويسة، مثل `Bearer abc`.",
    },
  ),
  header: described(
    z
      .string()
      .regex(/^(?:authorization|cookie|x-[a-z0-9-]{1,60}|[a-z0-9-]{0,40}(?:key|token)[a-z0-9-]{0,20})$/i, {
        error: "must be Authorization, Cookie, X-… or the name of a key or token",
      })
      .default("Authorization"),
    { en: "Name of the header.", ar: "اسم الترويسة." },
  ),
  hosts: described(
    z
      .array(z.string().regex(/^[a-z0-9.-]{1,253}$/, { error: "must be a host name" }))
      .max(20)
      .default([]),
    {
      en: "Hosts that get it besides those of the homepage, feeds, sitemaps and list pages.",
      ar: "خوادم تتلقاها غير خوادم الصفحة الرئيسية والخلاصات وخرائط الموقع وصفحات القوائم.",
    },
  ),
});
