import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parse, stringify } from "yaml";

interface Operation {
  operationId?: string;
  "x-redoclyPagination"?: object;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The lists that the client can walk over; it rejects this setting for lists whose items no schema describes. */
const paginations: Readonly<Record<string, object>> = {
  listStores: { style: "cursor", cursorParam: "cursor", nextCursor: "/nextCursor", items: "/items" },
  listInspectionTemplates: { style: "page", offsetParam: "page", items: "/data" },
};

/** Generates the clients of Redocly CLI from both documents into a folder, as JavaScript. */
export async function generateRedocly(folder: string): Promise<void> {
  mkdirSync(`${folder}/redocly`, { recursive: true });
  for (const api of ["store", "fleet"]) {
    const document = parse(readFileSync(path(`../../specs/${api}.openapi.yaml`), "utf8")) as Document;
    for (const operations of Object.values(document.paths))
      for (const operation of Object.values(operations)) {
        const pagination = paginations[operation.operationId ?? ""];
        if (pagination !== undefined) operation["x-redoclyPagination"] = pagination;
      }
    const [source, output] = [`${folder}/redocly/${api}.yaml`, `${folder}/redocly/${api}.ts`];
    writeFileSync(source, stringify(document));
    const cli = path("../../node_modules/@redocly/cli/bin/cli.js");
    const args = [cli, "generate-client", source, "--output", output, "--args-style", "grouped"];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    if (status !== 0) throw new Error(`redocly generate-client: ${stderr}`);
    const outfile = output.replace(/ts$/, "js");
    await build({ entryPoints: [output], outfile, format: "esm", logLevel: "error" });
  }
}
