import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path/posix";
import { parse, stringify } from "yaml";

const methods = ["get", "put", "post", "patch", "delete"];

interface Operation {
  requestBody?: unknown;
  "x-codeSamples"?: { lang: string; label?: string; source: string }[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** The variables that name a service, as the clients read them. */
const variables = {
  store: { url: "$SHELFLEET_STORE_URL", secret: "$SHELFLEET_TOKEN" },
  fleet: { url: "$SHELFLEET_FLEET_URL", secret: "$SHELFLEET_KEY" },
} as const;

/** Writes copies of the OpenAPI documents that have a line for cURL beside that of the client. */
export function writeDocuments(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const api of ["store", "fleet"] as const) {
    const document = parse(readFileSync(join(root, `specs/${api}.openapi.yaml`), "utf8")) as Document;
    for (const [path, operations] of Object.entries(document.paths))
      for (const method of methods) {
        const operation = operations[method];
        if (operation !== undefined)
          addCurl(operation, method, `${variables[api].url}${path}`, variables[api].secret);
      }
    writeFileSync(join(folder, `${api}.openapi.yaml`), stringify(document));
  }
}

function addCurl(operation: Operation, method: string, url: string, secret: string): void {
  const lines = [
    `curl --request ${method.toUpperCase()} "${url}"`,
    `  --header "authorization: Bearer ${secret}"`,
    ...(operation.requestBody === undefined
      ? []
      : ['  --header "content-type: application/json"', "  --data @body.json"]),
  ];
  const samples = operation["x-codeSamples"] ?? [];
  operation["x-codeSamples"] = [...samples, { lang: "Shell", label: "cURL", source: lines.join(" \\\n") }];
}
