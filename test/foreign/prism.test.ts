import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints, readDocument } from "../../specs/generate/document.ts";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { documentFile, documents, programOf } from "./tool.ts";

const key = `acme_${"0123456789abcdef".repeat(4)}`;

/** Values of the path and query of every GET. */
const values: Record<string, string> = {
  "{externalId}": "S-1001",
  "{protocolId}": "P-7001",
  "{expositionId}": "8e1c2a64-0f7d-4b93-a5c8-3d6e9f1b2a70",
  "{id}": "3f0c7f6e-7c39-4d0b-9c5b-0d8f6f3a1b2c",
};
const range = "?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z";

/** Starts Prism's mock of a document. It chooses the port itself. */
async function startPrism(name: (typeof documents)[number]): Promise<{ prism: ChildProcess; url: string }> {
  const args = [
    programOf("@stoplight/prism-cli", "prism"),
    "mock",
    documentFile(name),
    "--port",
    "0",
    "--errors",
  ];
  const prism = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: prism.stdout })) {
    const url = /Prism is listening on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) return { prism, url };
  }
  throw new Error(`Prism ended with ${prism.exitCode}`);
}

/** Starts Prism's mock of a document before the tests of a block, and returns its URL. */
function usePrism(name: (typeof documents)[number]): () => string {
  let started: { prism: ChildProcess; url: string };
  beforeAll(async () => {
    started = await startPrism(name);
  });
  afterAll(async () => {
    const ended = once(started.prism, "exit");
    started.prism.kill();
    await ended;
  });
  return () => started.url;
}

describe.each(documents)("Prism's mock of the %s document", (name) => {
  const urlOf = usePrism(name);
  const document = readDocument(pathToFileURL(documentFile(name)));
  const reads = endpoints(document).filter(({ method }) => method === "GET");

  it.each(reads)("responds to $id with an example of the document", async ({ path, parameters }) => {
    const hasRange = parameters.some((parameter) => parameter.name === "from");
    const filled = path.replaceAll(/\{\w+\}/g, (part) => values[part] ?? part);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${urlOf()}${filled}${hasRange ? range : ""}`, { headers });
    expect([response.status, response.headers.get("sl-violations")]).toEqual([200, null]);
  });
});

describe("Prism's mock of the store document", () => {
  const urlOf = usePrism("store");

  it("serves StoreClient", async () => {
    const store = new StoreClient({ baseUrl: urlOf(), token: key });
    expect(await store.stores.get("S-1001")).toMatchObject({ name: "Dworzec Centralny" });
  });
});

describe("Prism's mock of the fleet document", () => {
  const urlOf = usePrism("fleet");

  it("serves FleetClient, whose requests lose the path of the base URL, which Prism leaves out", async () => {
    const base = "/api/third-party/v1";
    const fleet = new FleetClient({
      baseUrl: `${urlOf()}${base}`,
      key,
      fetch: (input, init) => fetch(input.replace(base, ""), init),
    });
    expect(await fleet.damages.get("dmg-9")).toMatchObject({ vehicleId: "veh-12" });
  });
});
