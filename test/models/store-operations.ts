/** The operations of the store model, as the endpoint tables of contract section 4 list them. */
import { pageLimit, photoLimit } from "../generate/contract-table.ts";
import { type Issue, isUuid, type QueryRules } from "./checks.ts";
import type { StoreReadings } from "./readings.ts";
import { checkExpositions, expositionListOf, upsertExpositions } from "./store-expositions.ts";
import { crossStoreFillRate, expositionFillRate, storeFillRates } from "./store-fill-rates.ts";
import {
  findProtocol,
  getProtocol,
  listPhotos,
  listProtocols,
  listStores,
  photoStatusValues,
} from "./store-reads.ts";
import { protocolStatuses } from "./store-state.ts";
import { storeView } from "./store-views.ts";
import {
  type RecordCall,
  type StoreCall,
  type StoreOperation,
  type StoreWorld,
  success,
} from "./store-world.ts";
import {
  checkContacts,
  checkExpectations,
  checkExternalId,
  checkStore,
  contactListOf,
  expectationListOf,
  putStore,
  replaceContacts,
  replaceExpectations,
} from "./store-writes.ts";

const store = "/v1/stores/{externalId}";
const range = {
  from: { type: "date-time", required: true },
  to: { type: "date-time", required: true },
} as const;
const limit100 = { limit: { type: "integer", minimum: 1, maximum: pageLimit } } as const;
const status = { status: { type: "text", values: protocolStatuses } } as const;
const percent = { type: "number", minimum: 0, maximum: 100 } as const;
const choice = (...values: string[]) => ({ type: "text", values }) as const;

/** Whether an undeclared `cursor` of the protocol list is unknown depends on its own gap. */
function protocolQuery(readings: StoreReadings): QueryRules {
  const isRefused = readings["protocols.next-page"] === "rejected";
  return {
    ...range,
    ...status,
    ...limit100,
    cursor: isRefused ? { type: "text", maxValues: 0 } : { type: "text" },
  };
}

function photoQuery(readings: StoreReadings): QueryRules {
  const maxValues = readings["photos.two-statuses"] === "both" ? 2 : 1;
  return {
    ...range,
    limit: { type: "integer", minimum: 1, maximum: photoLimit },
    status: { type: "text", values: photoStatusValues(readings["photos.status"]), maxValues },
    protocolId: { type: "text" },
    expositionId: { type: "uuid" },
    cursor: { type: "text" },
  };
}

const crossStoreQuery: QueryRules = {
  ...range,
  ...status,
  groupBy: choice("store", "region", "expositionType", "productCategory", "day", "week"),
  externalIds: { type: "text" },
  minFillRate: percent,
  maxFillRate: percent,
  belowExpectationOnly: { type: "boolean" },
};

/** Under `not-found` an ID that is not a UUID is an unknown exposition. */
function checkExpositionId(path: StoreCall["path"], { readings }: StoreWorld): Issue[] {
  if (readings["fill-rates.exposition-id"] === "not-found" || isUuid(path["expositionId"] ?? "")) return [];
  return [{ path: "expositionId", message: "must be a UUID", code: "invalid_string" }];
}

/** The endpoint tables of contract section 4. */
export const operations: readonly StoreOperation[] = [
  {
    on: "all",
    id: "listStores",
    method: "GET",
    path: "/v1/stores",
    refuses: true,
    query: { ...limit100, cursor: { type: "text" } },
    run: listStores,
  },
  {
    on: "store",
    id: "getStore",
    method: "GET",
    path: store,
    refuses: false,
    run: (_, { record }) => success(storeView(record.store)),
  },
  {
    on: "all",
    id: "putStore",
    method: "PUT",
    path: store,
    refuses: true,
    checkPath: checkExternalId,
    checkBody: checkStore,
    run: putStore,
  },
  {
    on: "store",
    id: "getContacts",
    method: "GET",
    path: `${store}/contacts`,
    refuses: false,
    run: (world, { record }) => contactListOf(world, record),
  },
  {
    on: "store",
    id: "putContacts",
    method: "PUT",
    path: `${store}/contacts`,
    refuses: true,
    checkBody: checkContacts,
    run: replaceContacts,
  },
  {
    on: "store",
    id: "getExpectations",
    method: "GET",
    path: `${store}/expectations`,
    refuses: false,
    run: (world, { record }) => expectationListOf(world, record),
  },
  {
    on: "store",
    id: "putExpectations",
    method: "PUT",
    path: `${store}/expectations`,
    refuses: true,
    checkBody: checkExpectations,
    run: replaceExpectations,
  },
  {
    on: "store",
    id: "getExpositions",
    method: "GET",
    path: `${store}/expositions`,
    refuses: false,
    run: (world, { record }) => expositionListOf(world, record),
  },
  {
    on: "store",
    id: "putExpositions",
    method: "PUT",
    path: `${store}/expositions`,
    refuses: true,
    checkBody: checkExpositions,
    run: upsertExpositions,
  },
  {
    on: "store",
    id: "listProtocols",
    method: "GET",
    path: `${store}/protocols`,
    refuses: true,
    query: protocolQuery,
    run: listProtocols,
  },
  {
    on: "store",
    id: "getProtocol",
    method: "GET",
    path: `${store}/protocols/{protocolId}`,
    refuses: false,
    exists: (world, record, path) => findProtocol(world, record, path["protocolId"]) !== undefined,
    run: getProtocol,
  },
  {
    on: "store",
    id: "listPhotos",
    method: "GET",
    path: `${store}/photos`,
    refuses: true,
    query: photoQuery,
    run: listPhotos,
  },
  {
    on: "store",
    id: "getStoreFillRates",
    method: "GET",
    path: `${store}/fill-rates`,
    refuses: true,
    query: { ...range, ...status, groupBy: choice("protocol", "exposition", "category") },
    run: storeFillRates,
  },
  {
    on: "store",
    id: "getExpositionFillRate",
    method: "GET",
    path: `${store}/expositions/{expositionId}/fill-rate`,
    refuses: true,
    query: { ...range, ...status },
    checkPath: checkExpositionId,
    exists: hasExposition,
    run: expositionFillRate,
  },
  {
    on: "all",
    id: "getFillRate",
    method: "GET",
    path: "/v1/fill-rate",
    refuses: true,
    query: crossStoreQuery,
    run: crossStoreFillRate,
  },
];

/** An ID that is not a UUID is left to `checkExpositionId` under `invalid`. */
function hasExposition(
  world: StoreWorld,
  { expositions }: RecordCall["record"],
  path: StoreCall["path"],
): boolean {
  const id = path["expositionId"]?.toLowerCase() ?? "";
  if (!isUuid(id) && world.readings["fill-rates.exposition-id"] === "invalid") return true;
  return expositions.some(({ expositionId }) => expositionId.toLowerCase() === id);
}
