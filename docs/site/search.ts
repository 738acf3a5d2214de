import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";

/** Words that people search for, and the guide that must be the first result. */
const firstResults: Readonly<Record<string, string>> = {
  "429": "docs/errors.html",
  "copy vehicles": "docs/sync.html",
  "resume after crash": "docs/walk-and-resume.html",
  "test in python": "docs/other-languages.html",
  "self-signed certificate": "docs/connections.html",
  idempotency: "docs/change.html",
  webhook: "docs/pull.html",
  "Retry-After": "docs/errors.html",
  certificate: "docs/connections.html",
  concurrency: "docs/clients.html",
  cursor: "docs/walk-and-resume.html",
  database: "docs/sync.html",
  delete: "docs/change.html",
  gap: "gaps.html",
  limiter: "docs/clients.html",
  mock: "docs/mocking.html",
  page: "docs/walk-and-resume.html",
  pagination: "docs/walk-and-resume.html",
  photo: "docs/pull.html",
  proxy: "docs/connections.html",
  python: "docs/other-languages.html",
  "rate limit": "docs/errors.html",
  reading: "docs/gaps-and-readings.html",
  resume: "docs/walk-and-resume.html",
  retry: "docs/errors.html",
  scope: "docs/keys.html",
  shape: "docs/shapes.html",
  strategy: "docs/readings.html",
  timeout: "docs/errors.html",
  token: "docs/keys.html",
  upload: "docs/change.html",
  // a name without a guide leads to its reference
  ConfigurationError: "api/shelfleet/ConfigurationError.html",
};

/** The part of lunr that is used: the site searches with the same library. */
interface Lunr {
  readonly Index: { load(data: unknown): { search(query: string): { ref: string; score: number }[] } };
}

interface SearchData {
  readonly rows: readonly { readonly name: string; readonly url: string }[];
  readonly index: unknown;
}

/** Searches the built site for each word; returns a line for each whose first result is not the expected guide. */
export function wrongFirstResults(site: string): string[] {
  const script = readFileSync(`${site}/assets/search.js`, "utf8");
  const encoded = script.slice(script.indexOf('"') + 1, script.lastIndexOf('"'));
  const data = JSON.parse(inflateSync(Buffer.from(encoded, "base64")).toString()) as SearchData;
  const typedoc = createRequire(import.meta.resolve("typedoc"));
  const index = (typedoc("lunr") as Lunr).Index.load(data.index);
  return Object.entries(firstResults).flatMap(([word, expected]) => {
    // the query and the weights of the site's own script
    const results = index.search(`*${word}*`).map(({ ref, score }) => {
      const { name, url } = data.rows[Number(ref)] ?? { name: "", url: "" };
      const isPrefix = name.toLowerCase().startsWith(word.toLowerCase());
      return { url, score: isPrefix ? (score * 10) / (1 + Math.abs(name.length - word.length)) : score };
    });
    const first = results.toSorted((a, b) => b.score - a.score)[0]?.url;
    return first === expected ? [] : [`search for "${word}" leads to ${first}, not to ${expected}`];
  });
}
