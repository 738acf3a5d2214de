import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { token } from "./responses.ts";
import { mockModule } from "./build.ts";
import { here, type MockProgram } from "./mock-servers.ts";

/** The responses of a mock: a store, and a page of 100. */
interface MockResponses {
  store: unknown;
  page: unknown;
}

interface Content {
  example?: unknown;
  examples?: unknown;
}

interface Operation {
  responses?: Record<string, { content?: Record<string, Content> }>;
}

interface StoreDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** Prism without its log, and the bare server. Both send shelfleet's responses, so that no server has less to do. */
export async function otherMocks(work: string, stores: number): Promise<MockProgram[]> {
  const responses = await recordOwnResponses(stores);
  const document = join(work, "prism.openapi.json");
  const file = join(work, "answers.json");
  writeFileSync(document, JSON.stringify(await withExamples(responses)));
  writeFileSync(file, JSON.stringify(responses));
  const prism = here("node_modules/@stoplight/prism-cli/dist/index.js");
  return [
    {
      name: "Prism",
      command: (port) => [prism, "mock", document, "--port", `${port}`, "--verboseLevel", "silent"],
    },
    { name: "bare node:http", command: (port) => [here("servers/bare.ts"), `${port}`, file] },
  ];
}

async function recordOwnResponses(stores: number): Promise<MockResponses> {
  const { createReferenceServer } = await mockModule();
  const ref = createReferenceServer({ store: { token, stores } });
  const read = async (path: string): Promise<unknown> => {
    const response = await ref.fetch(ref.storeUrl + path, { headers: { authorization: `Bearer ${token}` } });
    return response.json();
  };
  return { store: await read("/v1/stores/S-1"), page: await read("/v1/stores?limit=100") };
}

/** The document with these responses as its examples. */
async function withExamples({ store, page }: MockResponses): Promise<StoreDocument> {
  const { parse } = await import("yaml"); // the module exists once the contenders are installed
  const text = readFileSync(here("../specs/store.openapi.yaml"), "utf8");
  const document = parse(text) as StoreDocument;
  setExample(document.paths["/v1/stores"]?.["get"], page);
  for (const method of ["get", "put"]) setExample(document.paths["/v1/stores/{externalId}"]?.[method], store);
  return document;
}

function setExample(operation: Operation | undefined, example: unknown): void {
  const content = operation?.responses?.["200"]?.content?.["application/json"];
  if (content === undefined) throw new Error("the document describes its answers elsewhere by now");
  delete content.examples;
  content.example = example;
}
