import type { Document } from "./document.ts";

/** Returns docs/operations.md: the ID of every operation. */
export function operationsGuide(documents: Readonly<Record<string, Document>>): string {
  const parts = Object.entries(documents).map(([title, document]) => `## ${title}\n\n${table(document)}\n`);
  return `${HEAD}\n${parts.join("\n")}`;
}

const HEAD = `# All operations

The IDs of the operations of both contracts. The reference server uses them in overrides (\`ref.on("listStores")\`), in its
journal and in its coverage; see [Mock both APIs in tests](mocking.md).

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
