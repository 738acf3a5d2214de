import type * as z from "zod/mini";
import { fleetOperations } from "../../../../generated/fleet.operations.ts";
import { fleetContract } from "../../../../generated/fleet.contract.ts";
import * as fleetSchemas from "../../../../generated/fleet.schemas.ts";
import type { Operation, OperationContract } from "../../../wire/operation.ts";
import { storeOperations } from "../../../../generated/store.operations.ts";
import { storeContract } from "../../../../generated/store.contract.ts";
import * as storeSchemas from "../../../../generated/store.schemas.ts";

/** One of the two APIs. */
export type Api = "store" | "fleet";

/** The rules of an operation in the contract. */
export interface Documented extends Operation, Pick<Contract, "responses" | "gaps"> {
  readonly api: Api;
  readonly querySchema: z.ZodMiniType | undefined;
  readonly bodySchema: z.ZodMiniType | undefined;
}

type Contract = OperationContract<z.ZodMiniType>;

/** The operation of a path and a method. */
export interface Route {
  readonly operation: Documented | undefined;
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The methods of the path in the contract. */
  readonly methods: readonly string[];
}

function documented(
  api: Api,
  operations: Readonly<Record<string, Operation>>,
  contract: Readonly<Record<string, Contract>>,
  schemas: Readonly<Record<string, unknown>>,
): { operation: Documented; pattern: RegExp }[] {
  return Object.values(operations).map((operation) => {
    const { body, responses = {}, gaps = [] } = contract[operation.id] ?? {};
    const querySchema = schemas[queryName(operation.id)] as z.ZodMiniType | undefined; // generated
    return {
      pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
      operation: {
        ...operation,
        api,
        querySchema,
        bodySchema: body,
        responses,
        gaps,
      },
    };
  });
}

function queryName(id: string): string {
  return `z${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
}

const table = {
  store: documented("store", storeOperations, storeContract, storeSchemas),
  fleet: documented("fleet", fleetOperations, fleetContract, fleetSchemas),
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
