import type * as z from "zod/mini";
import { fleetContract } from "../../../../generated/fleet.contract.ts";
import * as fleetSchemas from "../../../../generated/fleet.schemas.ts";
import { namesOf, tableOf } from "../../../wire/names.ts";
import type { Operation, OperationContract } from "../../../wire/operation.ts";
import { storeOperations } from "../../../../generated/store.operations.ts";
import { storeContract } from "../../../../generated/store.contract.ts";
import * as storeSchemas from "../../../../generated/store.schemas.ts";
import { type ApiName, type OperationId, operations, routes } from "../../routes.ts";

/** The rules of an operation in the contract. */
export interface Documented extends Operation, Pick<Contract, "responses" | "gaps"> {
  readonly id: OperationId;
  readonly api: ApiName;
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

const contract: Readonly<Record<OperationId, Contract>> = { ...storeContract, ...fleetContract };
const schemas: Readonly<Record<string, unknown>> = { ...storeSchemas, ...fleetSchemas };

function documented(id: OperationId): Documented {
  const { body, responses, gaps } = contract[id];
  const querySchema = schemas[queryName(id)] as z.ZodMiniType | undefined; // generated
  const api = Object.hasOwn(storeOperations, id) ? "store" : "fleet";
  return { ...operations[id], id, api, querySchema, bodySchema: body, responses, gaps };
}

function queryName(id: string): string {
  return `z${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
}

const table = tableOf(namesOf(operations), documented);

/** Finds the operation of a percent-encoded path below the base URL. */
export function routeOf(api: ApiName, method: string, path: string): Route {
  const match = routes[api].match(path);
  const id = match?.operations.get(method);
  return {
    operation: id === undefined ? undefined : table[id],
    params: match?.params ?? {},
    methods: [...(match?.operations.keys() ?? [])],
  };
}
