// The contract's endpoint tables, enumerations, limits and properties, copied by hand (store 2, 4, 7 and 8, fleet 2, 4, 7
// and 8). They check the documents and the generated code independently. A property with `?` may be absent; an `object` is
// open, because the contract shows no properties of it.

import type { Operation, QueryRule } from "../../src/wire/operation.ts";

type Row = Pick<Operation, "id" | "method" | "path" | "response" | "retry" | "formats"> & {
  query?: Readonly<Record<string, QueryRule>>;
};

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

/** The schema of the response of each operation, after that of its body. */
export const operationSchemas: Readonly<Record<string, string>> = {
  listStores: "StorePage",
  getStore: "Store",
  putStore: "StoreUpsert → Store",
  getContacts: "ContactList",
  putContacts: "ContactReplacement → ContactList",
  getExpectations: "ExpectationList",
  putExpectations: "ExpectationReplacement → ExpectationList",
  getExpositions: "ExpositionList",
  putExpositions: "ExpositionUpsert → ExpositionList",
  listProtocols: "ProtocolPage",
  getProtocol: "ProtocolDetail",
  listPhotos: "PhotoPage",
  getStoreFillRates: "StoreFillRates",
  getExpositionFillRate: "ExpositionFillRate",
  getFillRates: "FillRates",
  listVehicles: "VehicleListBody",
  createVehicle: "VehicleInput → VehicleBody",
  getVehicle: "VehicleBody",
  updateVehicle: "VehicleInput → VehicleBody",
  deleteVehicle: "DeletionBody",
  listVehicleGroups: "VehicleGroupListBody",
  createVehicleGroup: "VehicleGroupInput → VehicleGroupBody",
  getVehicleGroup: "VehicleGroupBody",
  updateVehicleGroup: "VehicleGroupInput → VehicleGroupBody",
  deleteVehicleGroup: "DeletionBody",
  listVehicleFields: "VehicleFieldListBody",
  listVehicleFieldVehicles: "VehicleFieldEntryListBody",
  listInspections: "InspectionListBody",
  submitInspection: "InspectionInput → WrittenInspectionBody",
  getInspection: "InspectionBody",
  updateInspection: "InspectionPatch → WrittenInspectionBody",
  deleteInspection: "DeletionBody",
  listInspectionTemplates: "InspectionTemplateListBody",
  createInspectionTemplate: "InspectionTemplateInput → WrittenInspectionTemplateBody",
  getInspectionTemplate: "InspectionTemplateBody",
  updateInspectionTemplate: "InspectionTemplateInput → WrittenInspectionTemplateBody",
  deleteInspectionTemplate: "DeletionBody",
  listDamages: "DamageListBody",
  createDamage: "DamageInput → WrittenDamageBody",
  getDamage: "DamageBody",
  updateDamage: "DamageInput → WrittenDamageBody",
  deleteDamage: "DeletionBody",
  listDriverAssignments: "DriverAssignmentListBody",
  createDriverAssignment: "DriverAssignmentInput → DriverAssignmentBody",
  getDriverAssignment: "DriverAssignmentBody",
  updateDriverAssignment: "DriverAssignmentPatch → DriverAssignmentBody",
  releaseDriverAssignment: "DeletionBody",
};

/** The properties of an object: a type in the words of `describeSchema`, or the properties of an object within. */
export interface Properties {
  readonly [name: string]: string | Properties;
}

const weekday = "integer 0..6";
const time = "string ^([01]\\d|2[0-3]):[0-5]\\d$";

const contact = { name: "string", phone: "string", "email?": "string email | null" };
const expectation = {
  displayType: "ExpositionType",
  weekday,
  protocolTime: time,
  expectedFillRatio: "integer 0..100",
};
const exposition = {
  label: "string",
  "friendlyTitle?": "string | null",
  productCategories: "ProductCategory[]",
  expositionType: "ExpositionType",
};

export const storeSchemas: Readonly<Record<string, string | Properties>> = {
  JsonObject: "object",
  Store: {
    storeId: "string uuid",
    externalId: "string | null",
    name: "string",
    location: "string | null",
    regionId: "string uuid | null",
    storeType: "StoreType | null",
    openingTimes: "OpeningTime[]",
    protocolScheduleId: "string uuid",
    protocolCronEnabled: "boolean",
    onboardingComplete: "boolean",
    loginCode: "string",
  },
  OpeningTime: { weekday, from: "string", to: "string" },
  StoreUpsert: {
    "externalId?": "string",
    "name?": "string",
    "location?": "string | null",
    "regionId?": "string uuid | null",
    "storeType?": "StoreType | null",
    "openingTimes?": "OpeningTime[] | null",
    "protocolScheduleId?": "string uuid",
    "protocolCronEnabled?": "boolean",
    "onboardingComplete?": "boolean",
    "loginCode?": "string",
  },
  StorePage: { items: "Store[]", nextCursor: "string | null" },
  Contact: {
    ...contact,
    contactId: "string uuid",
    contactType: "ContactType",
    hasWhatsapp: "boolean",
    createdAt: "string date-time",
  },
  ContactInput: { ...contact, "contactType?": "ContactType = store", "hasWhatsapp?": "boolean = false" },
  ContactList: { externalId: "string | null", items: "Contact[]" },
  ContactReplacement: { contacts: "ContactInput[]" },
  Expectation: {
    ...expectation,
    expectationId: "string uuid",
    "productCategory?": "ProductCategory | null",
    updatedAt: "string date-time",
  },
  ExpectationInput: { ...expectation, productCategory: "ProductCategory | null" },
  ExpectationList: { externalId: "string", items: "Expectation[]" },
  ExpectationReplacement: { expectations: "ExpectationInput[]" },
  Exposition: { ...exposition, expositionId: "string uuid", status: "ExpositionStatus" },
  ExpositionInput: { ...exposition, "expositionId?": "string uuid", "status?": "ExpositionStatus = active" },
  ExpositionList: { externalId: "string", storeId: "string uuid", items: "Exposition[]" },
  ExpositionUpsert: { expositions: "ExpositionInput[] up to 500" },
  Protocol: "JsonObject",
  ProtocolDetail: { images: "ProtocolImage[]" },
  ProtocolImage: "JsonObject",
  ProtocolPage: { externalId: "string", items: "Protocol[]", nextCursor: "string | null" },
  PhotoPage: "JsonObject",
  StoreFillRates: "JsonObject",
  ExpositionFillRate: "JsonObject",
  FillRates: "JsonObject",
  StoreErrorBody: { error: { "code?": "StoreErrorCode", message: "string", "issues?": "StoreErrorIssue[]" } },
  StoreErrorIssue: { path: "string", message: "string", "code?": "string" },
};

/** Of vehicles, groups, assignments and all inputs the contract shows no properties (gaps fleet.open-properties, fleet.input-shapes). */
const open = [
  ["JsonObject", "Vehicle", "VehicleGroup", "DriverAssignment", "InspectionSummary", "DamageSummary"],
  ["VehicleInput", "VehicleGroupInput", "InspectionInput", "InspectionPatch", "InspectionTemplateInput"],
  ["DamageInput", "DriverAssignmentInput", "DriverAssignmentPatch"],
].flat();

const optional = (names: string): Properties =>
  Object.fromEntries(names.split(" ").map((name) => [`${name}?`, "string"]));

/** The envelope of a response (fleet 1). */
const data = (type: string, meta = "Meta"): Properties => ({ data: type, meta });

const embeddedDamage: Properties = {
  ...optional("id vehicleId description photoUrl reportedAt"),
  "status?": "DamageStatus",
  "repairedAt?": "string | null",
};
const isRequired = { "isRequired?": "boolean" };

export const fleetSchemas: Readonly<Record<string, string | Properties>> = {
  ...Object.fromEntries(open.map((name) => [name, "object"])),
  InspectionTemplate: {
    id: "string",
    title: "string",
    description: "string",
    version: "integer",
    isActive: "boolean",
    createdAt: "string",
    updatedAt: "string",
    itemCount: "integer",
    inspectionCount: "integer",
    items: "TemplateItem[]",
  },
  TemplateItem: {
    id: "string",
    label: "string",
    inputType: "TemplateItemInputType",
    isRequired: "boolean",
    options: "(string | JsonObject)[]",
    order: "integer",
    instructionImageUrl: "string | null",
    "dependsOn?": "JsonObject",
  },
  Person: optional("id firstName lastName email"),
  Inspection: {
    id: "string uuid",
    templateId: "string",
    template: { ...optional("id title description"), "version?": "integer" },
    status: "InspectionStatus",
    performedAt: "string",
    performedBy: "Person",
    vehicles: { "[]": { ...optional("id plateNumber brand model vin"), "type?": "VehicleType" } },
    location: { "title?": "string", "latitude?": "number", "longitude?": "number" },
    notes: "string",
    responses: "InspectionResponse[]",
    damages: { "[]": embeddedDamage },
  },
  InspectionResponse: {
    "id?": "string",
    "templateItem?": {
      ...optional("id label"),
      "inputType?": "TemplateItemInputType",
      ...isRequired,
      "|": "null",
    },
    "responseText?": "string | null",
    "fileUrl?": "string | null",
    "followUpResponses?": "JsonObject | null",
  },
  Damage: {
    ...embeddedDamage,
    "vehicle?": { ...optional("id plateNumber brand model vin"), "|": "null" },
    "reportedBy?": "Person | null",
    "assignedTo?": "Person | null",
    "inspection?": {
      ...optional("id performedAt"),
      "status?": "InspectionStatus",
      "template?": { ...optional("id title"), "|": "null" },
      "|": "null",
    },
  },
  VehicleField: {
    id: "string",
    label: "string",
    description: "string",
    inputType: "VehicleFieldInputType",
    isRequired: "boolean",
    instructionImageUrl: "string | null",
    hasStatusRule: "boolean",
    groupIds: "string[]",
    groups: { "[]": optional("id name") },
    options: "VehicleFieldOption[]",
    createdAt: "string",
    updatedAt: "string",
  },
  VehicleFieldOption: { ...optional("id label value"), "status?": "FieldStatus | null" },
  VehicleFieldEntry: {
    ...optional("vehicleId plateNumber brand model"),
    "status?": "FieldStatus | null",
    "latestResponse?": {
      ...optional("id inspectionId value updatedAt"),
      "fileUrl?": "string | null",
      "|": "null",
    },
  },
  Pagination: {
    currentPage: "integer",
    totalPages: "integer",
    totalCount: "integer",
    hasNextPage: "boolean",
    hasPreviousPage: "boolean",
  },
  Meta: { version: "MetaVersion" },
  PageMeta: { version: "MetaVersion", pagination: "Pagination" },
  UndocumentedListMeta: { version: "MetaVersion", "pagination?": "Pagination" },
  VehicleFieldListMeta: {
    version: "MetaVersion",
    pagination: "Pagination",
    filters: { "search?": "string | null", "|": "null" },
  },
  VehicleFieldEntryListMeta: {
    version: "MetaVersion",
    field: { ...optional("id label"), "inputType?": "VehicleFieldInputType", "|": "null" },
    pagination: "Pagination",
    filters: { "search?": "string | null", "status?": "string | null", "|": "null" },
  },
  VehicleBody: data("Vehicle"),
  VehicleListBody: data("Vehicle[]", "UndocumentedListMeta"),
  VehicleGroupBody: data("VehicleGroup"),
  VehicleGroupListBody: data("VehicleGroup[]", "UndocumentedListMeta"),
  VehicleFieldListBody: data("VehicleField[]", "VehicleFieldListMeta"),
  VehicleFieldEntryListBody: data("VehicleFieldEntry[]", "VehicleFieldEntryListMeta"),
  InspectionBody: data("Inspection"),
  WrittenInspectionBody: data("InspectionSummary"),
  InspectionListBody: data("InspectionSummary[]", "UndocumentedListMeta"),
  InspectionTemplateListBody: data("InspectionTemplate[]", "PageMeta"),
  InspectionTemplateBody: data("JsonObject"),
  WrittenInspectionTemplateBody: data("JsonObject"),
  DamageBody: data("Damage"),
  WrittenDamageBody: data("DamageSummary"),
  DamageListBody: data("DamageSummary[]", "UndocumentedListMeta"),
  DriverAssignmentBody: data("DriverAssignment"),
  DriverAssignmentListBody: data("DriverAssignment[]", "UndocumentedListMeta"),
  DeletionBody: data("any"),
  FleetErrorItem: { code: "string", message: "string", "details?": "JsonObject" },
  FleetErrorBody: { errors: "FleetErrorItem[]" },
  ForbiddenErrorItem: {
    code: "string",
    message: "string",
    "details?": { required: "Scope[]", available: "string[]" },
  },
  ForbiddenErrorBody: { errors: "ForbiddenErrorItem[]" },
  UndocumentedErrorBody: "any",
};
