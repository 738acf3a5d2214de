import { readFileSync } from "node:fs";
import { sourceOfTypes } from "../../build/entry-sources.ts";

/** An entry point of the package, as its page names and introduces it. */
export interface EntryPoint {
  /** `shelfleet/mock`. */
  name: string;
  /** Below the package's root. */
  file: string;
  about: string;
}

/** A description of each entry point, in one sentence. */
const about: Readonly<Record<string, string>> = {
  ".": "Both clients, their errors and their types.",
  "./store": "The client of the store integration API only, for small bundles.",
  "./fleet": "The client of the fleet inspection API only, for small bundles.",
  "./store/schemas": "The zod schemas of the store integration API, for `z.parse`.",
  "./fleet/schemas": "The zod schemas of the fleet inspection API, for `z.parse`.",
  "./node": "A transport over undici for Node.js: proxies, certificates and connection limits.",
  "./sync":
    "The jobs that every integration writes, on top of the clients: pull, mirror, modify, plan and apply, ensure.",
  "./opentelemetry": "Hooks that create OpenTelemetry spans and metrics.",
  "./mock": "The reference server of both APIs, for `fetch: ref.fetch`; runs on every runtime.",
  "./mock/msw": "The reference server behind msw 2 or 3.",
  "./mock/node": "The reference server over HTTP.",
  "./prove": "Worlds in which something goes wrong, and verdicts on the programs in them.",
};

/** The entry points of package.json that have a separate interface. */
export function entryPoints(root: string): EntryPoint[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return []; // files that are handed on as they are
    const sentence = about[path];
    if (sentence === undefined)
      throw new Error(`${path}: an entry point that docs/site/entry-points.ts lacks`);
    return [{ name: `shelfleet${path.slice(1)}`, file: sourceOfTypes(target.types), about: sentence }];
  });
}
