import { fleetOperations } from "../../generated/fleet.operations.ts";
import { fleetContract } from "../../generated/fleet.contract.ts";
import { storeContract } from "../../generated/store.contract.ts";
import type { Operation, OperationContract, QueryRule } from "../../src/wire/operation.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import { endpoints, readDocument } from "../../specs/generate/document.ts";
import { type ClientMethod, clientMethod } from "../../specs/generate/methods.ts";
import type { OperationId } from "../../src/mock/index.ts";

/** An operation of either API: its row of the table, the client's method and the gaps that concern it. */
export interface ApiOperation extends Operation {
  readonly id: OperationId;
  readonly api: "store" | "fleet";
  readonly client: ClientMethod;
  /** The checks of its query parameters. */
  readonly rules: Readonly<Record<string, QueryRule>>;
  /** Every status of the document. */
  readonly statuses: readonly number[];
  readonly gaps: readonly string[];
}

const tables = { store: storeOperations, fleet: fleetOperations };
const contracts: Readonly<Record<string, OperationContract<unknown>>> = {
  ...storeContract,
  ...fleetContract,
};

/** The operations of one API, in the order of its document. */
export function operationsOf(api: "store" | "fleet"): readonly ApiOperation[] {
  const document = readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url));
  const everywhere = (document["x-gaps"] ?? []) as string[];
  const rows: Record<string, Operation> = tables[api];
  return endpoints(document).map((endpoint) => ({
    ...(rows[endpoint.id] as Operation), // the table has every operation (test/generate/operations.test.ts)
    id: endpoint.id as OperationId,
    api,
    client: clientMethod(document, endpoint),
    rules: contracts[endpoint.id]?.query ?? {},
    statuses: Object.keys(endpoint.operation.responses).map(Number),
    gaps: [...everywhere, ...(endpoint.operation["x-gaps"] ?? [])],
  }));
}

/** The names of an operation's path ids, in the order of the path. */
export function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The status of a response without an error under the default readings. */
export function successStatus({ method }: Operation): number {
  return method === "POST" ? 201 : 200; // gap fleet.create-status
}
