import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
}

/** The lists that the client can walk over; it rejects this setting for lists whose items no schema describes. */
const paginations: Readonly<Record<string, object>> = {
  listStores: { style: "cursor", cursorParam: "cursor", nextCursor: "/nextCursor", items: "/items" },
  listInspectionTemplates: { style: "page", offsetParam: "page", items: "/data" },
};

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Generates the client of an API with Redocly CLI into a folder, and returns the file. */
export function generateRedocly(api: "store" | "fleet", folder: string): string {
  const document = parse(readFileSync(`${root}specs/${api}.openapi.yaml`, "utf8")) as Document;
  for (const operation of Object.values(document.paths).flatMap(Object.values) as { operationId?: string }[])
    Object.assign(operation, { "x-redoclyPagination": paginations[operation.operationId ?? ""] });
  const [source, output] = [`${folder}/${api}.yaml`, `${folder}/${api}.ts`];
  writeFileSync(source, stringify(document));
  const cli = `${root}node_modules/@redocly/cli/bin/cli.js`;
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const args = [cli, "generate-client", source, "--output", output, "--args-style", "grouped"];
  execFileSync(process.execPath, args, { env, stdio: "ignore" });
  return output;
}
