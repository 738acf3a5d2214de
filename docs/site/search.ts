import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inflateSync } from "node:zlib";

/** Words that people search for, and the page that must be among the first three results. */
const expectedPages: Readonly<Record<string, string>> = {
  StoreClient: "api/shelfleet/StoreClient.html",
  ConfigurationError: "api/shelfleet/ConfigurationError.html",
  "429": "docs/errors.html",
  "lost response": "docs/errors.html",
  "create damage": "docs/write.html",
  "images of a protocol": "docs/sync.html",
  idempotent: "docs/errors.html",
  "rotate token": "docs/production.html",
  csv: "docs/write.html",
  "copy vehicles": "docs/sync.html",
  "resume after crash": "docs/lists.html",
  "test in python": "docs/other-languages.html",
  certificate: "docs/runtimes.html",
  cursor: "docs/lists.html",
  database: "docs/sync.html",
  deploy: "docs/production.html",
  gap: "gaps.html",
  mock: "docs/testing.html",
  pagination: "docs/lists.html",
  photo: "docs/sync.html",
  proxy: "docs/runtimes.html",
  "rate limit": "docs/errors.html",
  resume: "docs/lists.html",
  retry: "docs/errors.html",
  shape: "api/shelfleet/Shape.html",
  timeout: "docs/errors.html",
  upload: "docs/write.html",
  webhook: "docs/sync.html",
};

/** The part of lunr that is used: the site searches with the same library. */
interface Lunr {
  readonly Index: { load(data: unknown): { search(query: string): { ref: string; score: number }[] } };
}

interface SearchData {
  readonly rows: readonly { readonly name: string; readonly url: string }[];
  readonly index: unknown;
}

/** Searches the built site for each word; returns a line for each whose page is not among the first three results. */
export function findUnexpectedResults(site: string): string[] {
  const script = readFileSync(`${site}/assets/search.js`, "utf8");
  const encoded = script.slice(script.indexOf('"') + 1, script.lastIndexOf('"'));
  const data = JSON.parse(inflateSync(Buffer.from(encoded, "base64")).toString()) as SearchData;
  const typedoc = createRequire(import.meta.resolve("typedoc"));
  const index = (typedoc("lunr") as Lunr).Index.load(data.index);
  return Object.entries(expectedPages).flatMap(([word, expected]) => {
    // the query and the weights of the site's own script
    const results = index.search(word.replaceAll(/\S+/g, "*$&*")).map(({ ref, score }) => {
      const { name, url } = data.rows[Number(ref)] ?? { name: "", url: "" };
      const isPrefix = name.toLowerCase().startsWith(word.toLowerCase());
      return { url, score: isPrefix ? (score * 10) / (1 + Math.abs(name.length - word.length)) : score };
    });
    const sorted = results.toSorted((a, b) => b.score - a.score);
    const first = sorted.slice(0, 3).map(({ url }) => url);
    return first.includes(expected)
      ? []
      : [`search for "${word}" leads to ${first.join(", ")}, not to ${expected}`];
  });
}
