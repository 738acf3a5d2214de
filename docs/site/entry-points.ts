import { readFileSync } from "node:fs";
import type { EntryPoint } from "./interface.ts";

/** What each entry point is, in one sentence. */
const about: Readonly<Record<string, string>> = {
  ".": "Both clients, their errors and their types.",
  "./store": "The store integration API alone: nothing of the other is in the bundle.",
  "./fleet": "The fleet inspection API alone: nothing of the other is in the bundle.",
  "./store/schemas":
    "Schemas of every described shape of the store integration API, for `z.parse` and its like.",
  "./fleet/schemas":
    "Schemas of every described shape of the fleet inspection API, for `z.parse` and its like.",
  "./node": "A transport over undici for Node.js: proxies, certificates and connection limits.",
  "./mock": "The reference server of both APIs, without msw and without Node: it runs anywhere.",
  "./mock/msw": "The reference server behind msw 2 or 3.",
  "./mock/node": "The reference server over HTTP.",
  "./probe": "Finds out which readings a live service uses.",
  "./gaps": "What the contracts leave unsaid, as typed constants.",
};

/** The entry points with an interface of their own, as package.json exports them. */
export function entryPoints(root: string): EntryPoint[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return []; // files that are handed on as they are
    const sentence = about[path];
    if (sentence === undefined)
      throw new Error(`${path}: an entry point that docs/site/entry-points.ts lacks`);
    const file = target.types.replace(/^\.\/dist\/types\//, "").replace(/\.d\.ts$/, ".ts");
    return [{ name: `shelfleet${path.slice(1)}`, file, about: sentence }];
  });
}
