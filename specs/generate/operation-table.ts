import type { Document } from "./document.ts";
import { ownKeywords } from "./keywords.ts";

/** Returns docs/operations.md: the ID of every operation, and the keywords of the documents. */
export function operationsGuide(documents: Readonly<Record<string, Document>>): string {
  const parts = Object.entries(documents).map(([title, document]) => `## ${title}\n\n${table(document)}\n`);
  return [HEAD, ...parts, TOOLS, keywordTable()].join("\n");
}

const HEAD = `# All operations

\`\`\`ts
ref.on("listStores").once({ status: 500 });
await store.stores.list(); // the client retries
console.log(ref.journal.of("listStores").length); // 2
\`\`\`

The [reference server](faults.md) uses these IDs in overrides and in its journal, hooks and logs in their events and lines.

<!-- written by npm run generate -->
`;

const TOOLS = `## Clients of your own

\`shelfleet/specs/store.openapi.yaml\` and \`fleet.openapi.yaml\` are plain OpenAPI 3.1. openapi-typescript, hey-api, orval and
swagger-typescript-api generate from them, Redocly, Spectral and swagger-parser accept them, and Prism's mock serves them; CI runs each
of these. \`npx openapi-typescript\` prints the types of this package. Prism leaves out the path of a base URL, so that \`FleetClient\`
needs \`fetch: (url, init) => fetch(url.replace("/api/third-party/v1", ""), init)\` in front of it.
`;

/** The table of the keywords that OpenAPI does not have. */
function keywordTable(): string {
  const rows = Object.entries(ownKeywords).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ["| keyword | says |", "|---|---|", ...rows, ""].join("\n");
}

function table({ paths }: Document): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { operationId } = operation as { operationId?: string };
      return operationId === undefined
        ? []
        : [`| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` |`];
    }),
  );
  return ["| operation | request |", "|---|---|", ...rows].join("\n");
}
