import type * as z from "zod/mini";
import { fleetOperations } from "../../../../generated/fleet.operations.ts";
import { fleetResponses } from "../../../../generated/fleet.responses.ts";
import * as fleetSchemas from "../../../../generated/fleet.schemas.ts";
import type { Operation } from "../../../../generated/operation.ts";
import { storeOperations } from "../../../../generated/store.operations.ts";
import { storeResponses } from "../../../../generated/store.responses.ts";
import * as storeSchemas from "../../../../generated/store.schemas.ts";
import * as storeStrictSchemas from "../../../../generated/store.strict-schemas.ts";

/** One of the two APIs. */
export type Api = "store" | "fleet";

/** The rules of an operation in the contract. */
export interface Documented extends Operation {
  readonly api: Api;
  readonly querySchema: z.ZodMiniType | undefined;
  readonly bodySchema: z.ZodMiniType | undefined;
  /** The schema of the body by status; null if there is no body. */
  readonly responses: Readonly<Record<number, z.ZodMiniType | null>>;
}

/** The operation of a path and a method. */
export interface Route {
  readonly operation: Documented | undefined;
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The methods of the path in the contract. */
  readonly methods: readonly string[];
}

type Schemas = Readonly<Record<string, unknown>>;

function documented(
  api: Api,
  operations: Readonly<Record<string, Operation>>,
  responses: Readonly<Record<string, Documented["responses"]>>,
  schemas: Schemas,
): { operation: Documented; pattern: RegExp }[] {
  return Object.values(operations).map((operation) => {
    const part = (name: string) => schemas[partName(operation.id, name)] as z.ZodMiniType | undefined; // generated
    return {
      pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
      operation: {
        ...operation,
        api,
        querySchema: part("Query"),
        bodySchema: part("Body"),
        responses: responses[operation.id] ?? {},
      },
    };
  });
}

function partName(id: string, part: string): string {
  return `z${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`;
}

const table = {
  store: documented("store", storeOperations, storeResponses, { ...storeSchemas, ...storeStrictSchemas }),
  fleet: documented("fleet", fleetOperations, fleetResponses, fleetSchemas),
};

/** Finds the operation of a percent-encoded path below the base URL. */
export function routeOf(api: Api, method: string, path: string): Route {
  const matches = table[api].flatMap(({ operation, pattern }) => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ operation, match }];
  });
  const found = matches.find(({ operation }) => operation.method === method);
  const params = Object.entries(found?.match.groups ?? {}).map(([name, value]) => [
    name,
    decodeSegment(value),
  ]);
  return {
    operation: found?.operation,
    params: Object.fromEntries(params) as Record<string, string>, // pairs of strings
    methods: matches.map(({ operation }) => operation.method),
  };
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
