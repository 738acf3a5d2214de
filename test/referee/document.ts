import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Of an API's document only what the referee's tests need: the rest is Prism's business. */
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

/** The operations of an API, and the gaps that concern the whole of it. */
export function documented(api: "store" | "fleet"): {
  file: string;
  operations: readonly Operation[];
  gaps: readonly string[];
} {
  const file = new URL(`../../specs/${api}.openapi.yaml`, import.meta.url);
  const { paths, "x-gaps": gaps } = parse(readFileSync(file, "utf8")) as Document;
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
  return { file: file.pathname, operations, gaps };
}
