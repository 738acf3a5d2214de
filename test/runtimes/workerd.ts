import { readFileSync } from "node:fs";
import type { BuildOptions } from "esbuild";
import { bundle } from "./bundle.ts";
import type { BaseUrls, Outcomes, Runtime } from "./runtime.ts";

/** The part of miniflare that is used. It does not exist before its private package is installed. */
interface Miniflare {
  dispatchFetch: (url: string) => Promise<{ json: () => Promise<unknown> }>;
  dispose: () => Promise<void>;
}

interface MiniflareModule {
  Miniflare: new (options: object) => Miniflare;
}

const miniflare: string = "miniflare";

async function version(): Promise<string> {
  const manifest = new URL("node_modules/workerd/package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

async function ask(script: string, compatibilityFlags: string[], baseUrls: BaseUrls): Promise<Outcomes> {
  const { Miniflare } = (await import(miniflare)) as MiniflareModule;
  const worker = new Miniflare({
    modules: true,
    script,
    compatibilityFlags,
    compatibilityDate: "2026-07-30",
  });
  try {
    const { storeUrl, fleetUrl } = baseUrls;
    const query = new URLSearchParams({ storeUrl, fleetUrl });
    return (await (await worker.dispatchFetch(`http://worker.test/?${query}`)).json()) as Outcomes;
  } finally {
    await worker.dispose();
  }
}

/** Cloudflare's runtime: the clients and the reference server without flags, msw with the flags that it needs. */
export const workerd: Runtime = {
  name: "workerd",
  locked: true,
  ways: ["network", "write", "mock", "msw", "msw2"],
  limits: [],
  version,
  walk: async ({ project, baseUrls }) => {
    const conditions = ["workerd", "worker", "browser"];
    const options: BuildOptions = { platform: "neutral", mainFields: ["module", "main"], conditions };
    const plain = await bundle(project, "worker.mjs", options);
    const withMsw = await bundle(project, "worker-msw.mjs", { ...options, external: ["node:*"] });
    return {
      ...(await ask(plain, [], baseUrls)),
      ...(await ask(withMsw, ["nodejs_compat"], baseUrls)),
    };
  },
};
