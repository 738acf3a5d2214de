import type { Document } from "./document.ts";

/** Returns docs/operations.md: the ID of every operation. */
export function operationsGuide(documents: Readonly<Record<string, Document>>): string {
  const parts = Object.entries(documents).map(([title, document]) => `## ${title}\n\n${table(document)}\n`);
  return `${HEAD}\n${parts.join("\n")}`;
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
