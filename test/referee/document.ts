import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "../../specs/generate/document.ts";

/** The part of an API's document that the referee's tests need. */
interface Document {
  "x-gaps": string[];
  paths: Record<string, Record<string, { operationId: string; "x-gaps"?: string[]; responses: object }>>;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its placeholders. */
  readonly path: string;
  /** Every status that the document gives it. */
  readonly statuses: readonly number[];
  readonly gaps: readonly string[];
}

/** The operations of an API, the gaps that concern all of it, and its document as a file for Prism. */
export function documented(api: "store" | "fleet"): {
  file: string;
  operations: readonly Operation[];
  gaps: readonly string[];
} {
  const source: unknown = readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url));
  const { paths, "x-gaps": gaps } = source as Document; // the specs are linted
  // Prism does not know `x-nullable`, so it gets the document as the generator reads it
  const file = join(mkdtempSync(join(tmpdir(), "referee-")), `${api}.openapi.json`);
  writeFileSync(file, JSON.stringify(source));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "parameters")
      .map(([method, { operationId, responses, "x-gaps": own = [] }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses).map(Number),
        gaps: own,
      })),
  );
  return { file, operations, gaps };
}
