import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { ReferenceServer } from "../../src/mock/index.ts";

type Schema = Readonly<Record<string, unknown>>;
type Operation = Schema & {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, Schema>>;
};
type Document = Schema & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** A response of the reference server, as its journal has it. */
interface JournaledResponse {
  readonly operation: string | null;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
}

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
addFormats.default(ajv);
// as lenient as the gaps contacts.email-format and date-times.forms leave them
ajv.addFormat("email", /^[^\s@]+@[^\s@]+$/);
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/);

/** The documented responses of each operation: the place of the response in its document. */
const documented = new Map<string, ReadonlyMap<string, string>>();
for (const api of ["store", "fleet"]) {
  const document = parse(
    readFileSync(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url), "utf8"),
  ) as Document; // the generator has validated it
  ajv.addSchema(document, api);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (operationId === undefined) continue;
      const own = `${api}#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}/responses`;
      const places = Object.entries(responses).map(([status, response]) => {
        const place = typeof response["$ref"] === "string" ? `${api}${response["$ref"]}` : `${own}/${status}`;
        return [status, place] as const;
      });
      documented.set(operationId, new Map(places));
    }
}

/** Returns how a response differs from the OpenAPI document of its API; empty if it does not. */
export function violationsOf({ operation, response }: JournaledResponse): string[] {
  const { status, headers, body } = response;
  if (operation === null) return []; // no operation has this path
  const place = documented.get(operation)?.get(String(status));
  if (place === undefined) return status < 300 ? [`${operation}: ${status} is not documented`] : [];
  const schema = ajv.getSchema(`${place}/content/application~1json/schema`);
  if (schema === undefined)
    return body === undefined ? [] : [`${operation}: ${status} has no documented body`];
  if (status >= 400 && body === undefined) return []; // gap errors.undocumented-bodies
  const type = String(headers["content-type"]);
  if (!type.startsWith("application/json")) return [`${operation}: ${status} has the type ${type}`];
  if (schema(body) === true) return [];
  return (schema.errors ?? []).map(
    (error) => `${operation}: ${status} ${error.instancePath} ${error.message}`,
  );
}

/** At the end of the test, each response that the server sent without an override must be that of the OpenAPI document. */
export function assertContract({ journal }: ReferenceServer): void {
  onTestFinished(() => {
    const found = journal.all().flatMap(({ operation, response, overrides, isReleased }) => {
      if (response === null || isReleased === true || overrides !== undefined) return [];
      return violationsOf({ operation, response });
    });
    expect(found).toEqual([]);
  });
}
