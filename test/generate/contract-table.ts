// The contract's endpoint tables, enumerations and limits, copied by hand (store 2, 4 and 8, fleet 4 and 8). They
// check the generated code independently of the OpenAPI documents.

import type { Operation } from "../../src/wire/operation.ts";

type Row = Pick<Operation, "id" | "method" | "path" | "response" | "retry" | "formats" | "query">;

export const storeTypes = [
  "Biuro",
  "Centrum Handlowe",
  "Dark Store",
  "Dworzec",
  "Kiosk",
  "Publiczny",
  "Stacja Benzynowa",
  "Ulica",
] as const;

export const productCategories = [
  "SANDWICHES",
  "SWEET_SNACKS",
  "SALTY_SNACKS",
  "SALADS_PASTES",
  "READY_MEALS",
  "DRINKS",
  "ROLLS",
  "BAGUETTES",
  "BREADS",
] as const;

/** The positions of each kind of exposition (contract section 2). */
const expositionPlaces = {
  FRIDGE: ["DRINKS", "SALADS"],
  SANDWICHES: ["CHILLED_COUNTER"],
  SWEET_SNACKS: ["NEUTRAL_COUNTER", "HEATED_COUNTER"],
  SALTY_SNACKS: ["NEUTRAL_COUNTER", "HEATED_COUNTER", "CHILLED_COUNTER"],
  SALADS_PASTES: ["GOURMET_RACK", "CHILLED_DISPLAY"],
  READY_MEALS: ["GOURMET_RACK", "CHILLED_DISPLAY", "NOT_OFFERED"],
  DRINKS: ["GOURMET_RACK", "CHILLED_DISPLAY", "DRINK_FRIDGE"],
  ROLLS: ["BREAD_RACK", "BACKBAR_CRATES", "BREAD_BASKETS", "NEUTRAL_COUNTER", "LIMITED_OFFER", "NOT_OFFERED"],
  BAGUETTES: [
    "BREAD_RACK",
    "BACKBAR_CRATES",
    "BREAD_BASKETS",
    "NEUTRAL_COUNTER",
    "LIMITED_OFFER",
    "NOT_OFFERED",
  ],
  BREADS: [
    "BREAD_RACK",
    "BACKBAR_CRATES",
    "BREAD_BASKETS",
    "NEUTRAL_COUNTER",
    "LIMITED_OFFER",
    "NOT_OFFERED",
  ],
};

export const expositionTypes: readonly string[] = Object.entries(expositionPlaces).flatMap(([kind, places]) =>
  places.map((place) => `${kind}_${place}`),
);

export const protocolStatuses = [
  "awaiting_submission",
  "awaiting_processing",
  "processing",
  "completed",
  "failed",
] as const;

export const imageStatuses = [
  "pending",
  "uploaded",
  "annotating",
  "annotated",
  "evaluating",
  "completed",
  "failed",
] as const;

/** The largest page of most lists (store 8, fleet 4). */
export const pageLimit = 100;
export const fleetPageLimit = 100;

/** The end of the base URLs (fleet, base addresses), and the version without a header (fleet 5). */
export const fleetBasePath = "/api/third-party/v1";
export const fleetVersion = "v1";

/** The largest page of photos (store 8). */
export const photoLimit = 500;

/** The most expositions of one request (store 8). */
export const expositionLimit = 500;

const text = { type: "string" } as const;
const range = {
  from: { type: "date-time", required: true },
  to: { type: "date-time", required: true },
} as const;
const upTo100 = { type: "integer", minimum: 1, maximum: pageLimit } as const;
const percent = { type: "number", minimum: 0, maximum: 100 } as const;
const pages = {
  page: { type: "integer", minimum: 1 },
  limit: { ...upTo100, maximum: fleetPageLimit },
} as const;
const uuid = { id: "uuid" } as const;

function read(id: string, path: string, response: Row["response"], rest: Partial<Row> = {}): Row {
  return { id, method: "GET", path, response, retry: "idempotent", ...rest };
}

function put(id: string, path: string, response: Row["response"]): Row {
  return { id, method: "PUT", path, response, retry: "idempotent" };
}

function post(id: string, path: string): Row {
  return { id, method: "POST", path, response: "data", retry: "only-if-rejected" };
}

function patch(id: string, path: string, rest: Partial<Row> = {}): Row {
  return { id, method: "PATCH", path, response: "data", retry: "only-if-rejected", ...rest };
}

function remove(id: string, path: string, rest: Partial<Row> = {}): Row {
  return { id, method: "DELETE", path, response: "deleted", retry: "idempotent", ...rest };
}

const store = "/v1/stores/{externalId}";

export const storeTable: Row[] = [
  read("listStores", "/v1/stores", "cursor-page", { query: { limit: upTo100, cursor: text } }),
  read("getStore", store, "entity"),
  put("putStore", store, "entity"),
  read("getContacts", `${store}/contacts`, "items"),
  put("putContacts", `${store}/contacts`, "items"),
  read("getExpectations", `${store}/expectations`, "items"),
  put("putExpectations", `${store}/expectations`, "items"),
  read("getExpositions", `${store}/expositions`, "items"),
  put("putExpositions", `${store}/expositions`, "items"),
  read("listProtocols", `${store}/protocols`, "cursor-page", {
    query: { ...range, status: { ...text, values: protocolStatuses }, limit: upTo100 },
  }),
  read("getProtocol", `${store}/protocols/{protocolId}`, "detail"),
  read("listPhotos", `${store}/photos`, "object", {
    query: {
      ...range,
      limit: { ...upTo100, maximum: photoLimit },
      status: { ...text, values: [...new Set([...protocolStatuses, ...imageStatuses])] },
      protocolId: text,
      expositionId: { type: "uuid" },
      cursor: text,
    },
  }),
  read("getStoreFillRates", `${store}/fill-rates`, "object", {
    query: {
      ...range,
      status: { ...text, values: protocolStatuses },
      groupBy: { ...text, values: ["protocol", "exposition", "category"] },
    },
  }),
  read("getExpositionFillRate", `${store}/expositions/{expositionId}/fill-rate`, "object", {
    formats: { expositionId: "uuid" },
    query: { ...range, status: { ...text, values: protocolStatuses } },
  }),
  read("getFillRates", "/v1/fill-rate", "object", {
    query: {
      ...range,
      status: { ...text, values: protocolStatuses },
      groupBy: { ...text, values: ["store", "region", "expositionType", "productCategory", "day", "week"] },
      externalIds: { type: "comma-list" },
      minFillRate: percent,
      maxFillRate: percent,
      belowExpectationOnly: { type: "boolean" },
    },
  }),
];

export const fleetTable: Row[] = [
  read("listVehicles", "/vehicles", "numbered-page", { query: pages }),
  post("createVehicle", "/vehicles"),
  read("getVehicle", "/vehicles/{id}", "data"),
  put("updateVehicle", "/vehicles/{id}", "data"),
  remove("deleteVehicle", "/vehicles/{id}"),
  read("listVehicleGroups", "/vehicle-groups", "numbered-page", { query: pages }),
  post("createVehicleGroup", "/vehicle-groups"),
  read("getVehicleGroup", "/vehicle-groups/{id}", "data"),
  put("updateVehicleGroup", "/vehicle-groups/{id}", "data"),
  remove("deleteVehicleGroup", "/vehicle-groups/{id}"),
  read("listVehicleFields", "/vehicle-fields", "numbered-page", { query: { ...pages, search: text } }),
  read("listVehicleFieldVehicles", "/vehicle-fields/{id}/vehicles", "numbered-page", {
    query: { ...pages, status: { ...text, values: ["OK", "WARNING", "NOT_OK"] }, search: text },
  }),
  read("listInspections", "/inspections", "numbered-page", { query: pages }),
  post("submitInspection", "/inspections"),
  read("getInspection", "/inspections/{id}", "data", { formats: uuid }),
  patch("updateInspection", "/inspections/{id}", { formats: uuid }),
  remove("deleteInspection", "/inspections/{id}", { formats: uuid }),
  read("listInspectionTemplates", "/inspection-templates", "numbered-page", {
    query: {
      ...pages,
      vehicleGroupId: { ...text, nameGap: "templates.group-filter" },
      search: { ...text, nameGap: "templates.title-filter" },
      isActive: { type: "boolean" },
    },
  }),
  post("createInspectionTemplate", "/inspection-templates"),
  read("getInspectionTemplate", "/inspection-templates/{id}", "data"),
  put("updateInspectionTemplate", "/inspection-templates/{id}", "data"),
  remove("deleteInspectionTemplate", "/inspection-templates/{id}"),
  read("listDamages", "/damages", "numbered-page", { query: pages }),
  post("createDamage", "/damages"),
  read("getDamage", "/damages/{id}", "data"),
  put("updateDamage", "/damages/{id}", "data"),
  remove("deleteDamage", "/damages/{id}"),
  read("listDriverAssignments", "/driver-assignments", "numbered-page", { query: pages }),
  post("createDriverAssignment", "/driver-assignments"),
  read("getDriverAssignment", "/driver-assignments/{id}", "data"),
  patch("updateDriverAssignment", "/driver-assignments/{id}"),
  remove("releaseDriverAssignment", "/driver-assignments/{id}"),
];
