import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { guideLinks, guidePages } from "./guides.ts";
import { readOperations } from "./read-operations.ts";

const root = new URL("../../../", import.meta.url);

/** Resolves `shelfleet` and what lies below it to the checkout's own build, by the package's `exports`. */
export function checkoutPackage(): Plugin {
  const { resolve } = createRequire(new URL("package.json", root));
  return {
    name: "checkout-package",
    enforce: "pre",
    resolveId: (source) => (/^shelfleet(\/|$)/.test(source) ? resolve(source) : null),
  };
}

const MODULE = "virtual:operations";
const RESOLVED = `\0${MODULE}`;

/** Gives the page the operations of both OpenAPI documents, read when it is built. */
export function operationsOfTheDocuments(): Plugin {
  const files = (["store", "fleet"] as const).map((api) => ({
    api,
    file: fileURLToPath(new URL(`specs/${api}.openapi.yaml`, root)),
  }));
  return {
    name: "operations-of-the-documents",
    resolveId: (source) => (source === MODULE ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      for (const { file } of files) this.addWatchFile(file);
      const operations = files.flatMap(({ api, file }) => readOperations(api, readFileSync(file, "utf8")));
      return `export const operations = ${JSON.stringify(operations)};`;
    },
  };
}

const GUIDES = "virtual:guides";

/** Puts the guides beside the page, and gives the page their links. */
export function guidesOfTheCheckout(): Plugin {
  return {
    name: "guides-of-the-checkout",
    resolveId: (source) => (source === GUIDES ? `\0${GUIDES}` : null),
    load: (id) => (id === `\0${GUIDES}` ? `export const guides = ${JSON.stringify(guideLinks)};` : null),
    generateBundle() {
      for (const [fileName, source] of guidePages(root)) this.emitFile({ type: "asset", fileName, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const page = guidePages(root).get(request.url?.split(/[?#]/)[0]?.slice(1) ?? "");
        if (page === undefined) next();
        else response.setHeader("content-type", "text/html; charset=utf-8").end(page);
      });
    },
  };
}
