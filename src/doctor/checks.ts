import { fieldStatuses, templateItemInputTypes } from "../../generated/fleet.enums.ts";
import * as fleet from "../../generated/fleet.schemas.ts";
import * as enums from "../../generated/store.enums.ts";
import * as store from "../../generated/store.schemas.ts";
import { checkAddress, checkCredential, checkUnknown } from "./connection.ts";
import { checkCursorList, checkNumberedList, type Conclude } from "./lists.ts";
import { checkOperation, protocols } from "./operations.ts";
import * as readings from "./readings.ts";
import type { Enumerations, Schema } from "./schema.ts";
import type { Check } from "./service.ts";

const one = "/v1/stores/{externalId}";
const fields = "/vehicle-fields";

function row(api: Check["api"], section: string, name: string, run: Check["run"]): Check {
  return { api, section, name, run };
}

function read(section: string, path: string, schema: Schema, values?: Enumerations): Check {
  const api = path.startsWith("/v1/") ? "store" : "fleet";
  return row(api, section, `GET ${path}`, (service) => checkOperation(service, path, schema, values));
}

function pages(section: string, path: string, conclude?: Conclude): Check {
  return row("store", section, `pages of ${path}`, (service) => checkCursorList(service, path, conclude));
}

/** The lists of the fleet API. */
const fleetLists = [
  read("4", "/vehicles", fleet.zListVehiclesResponse),
  read("4", "/vehicle-groups", fleet.zListVehicleGroupsResponse),
  read("4", fields, fleet.zListVehicleFieldsResponse, { "data[].options[].status": fieldStatuses }),
  read("4", `${fields}/{id}/vehicles`, fleet.zListVehicleFieldVehiclesResponse, {
    "data[].status": fieldStatuses,
  }),
  read("4", "/inspections", fleet.zListInspectionsResponse),
  read("4", "/inspection-templates", fleet.zListInspectionTemplatesResponse, {
    "data[].items[].inputType": templateItemInputTypes,
  }),
  read("4", "/damages", fleet.zListDamagesResponse),
  read("4", "/driver-assignments", fleet.zListDriverAssignmentsResponse),
];

/** All checks in their order: connection, operations, lists, readings. An operation shows the IDs of the next ones. */
export const checks: readonly Check[] = [
  ...(["store", "fleet"] as const).flatMap((api) => [
    row(api, "1", "address", checkAddress),
    row(api, "5", "credential", checkCredential),
    row(api, "7", "unknown ID", checkUnknown),
  ]),

  read("4 Stores", "/v1/stores", store.zListStoresResponse, { "items[].storeType": enums.storeTypes }),
  read("4 Stores", one, store.zGetStoreResponse, { storeType: enums.storeTypes }),
  read("4 Contacts", `${one}/contacts`, store.zGetContactsResponse, {
    "items[].contactType": enums.contactTypes,
  }),
  read("4 Expectations", `${one}/expectations`, store.zGetExpectationsResponse, {
    "items[].productCategory": enums.productCategories,
    "items[].displayType": enums.expositionTypes,
  }),
  read("4 Expositions", `${one}/expositions`, store.zGetExpositionsResponse, {
    "items[].productCategories[]": enums.productCategories,
    "items[].expositionType": enums.expositionTypes,
    "items[].status": enums.expositionStatuses,
  }),
  read("4 Protocols", protocols, store.zListProtocolsResponse),
  read("4 Protocols", `${protocols}/{protocolId}`, store.zGetProtocolResponse),
  read("4 Photos", `${one}/photos`, store.zListPhotosResponse),
  read("4 Fill rates", `${one}/fill-rates`, store.zGetStoreFillRatesResponse),
  read("4 Fill rates", `${one}/expositions/{expositionId}/fill-rate`, store.zGetExpositionFillRateResponse),
  read("4 Fill rates", "/v1/fill-rate", store.zGetFillRatesResponse),
  ...fleetLists,
  read("4", "/vehicles/{id}", fleet.zGetVehicleResponse),
  read("4", "/vehicle-groups/{id}", fleet.zGetVehicleGroupResponse),
  read("2, 4", "/inspections/{id}", fleet.zGetInspectionResponse),
  read("5", "/inspection-templates/{id}", fleet.zGetInspectionTemplateResponse),
  read("2, 4", "/damages/{id}", fleet.zGetDamageResponse),
  read("4", "/driver-assignments/{id}", fleet.zGetDriverAssignmentResponse),

  pages("4 Stores, 8", "/v1/stores", readings.concludeStores),
  pages("4 Protocols, 8", protocols, readings.concludeProtocols),
  pages("4 Photos, 8", `${one}/photos`),
  ...fleetLists
    .map(({ name }) => name.replace("GET ", ""))
    .map((path) => row("fleet", "4, 8", `pages of ${path}`, (service) => checkNumberedList(service, path))),

  row("store", "4 Photos", "names in the photo page", readings.readPhotoNames),
  row("fleet", "4", "lists without pages", readings.readWholeLists),
  row("fleet", "4", "title filter of templates", readings.readTitleFilter),
  row("fleet", "4", "group filter of templates", readings.readGroupFilter),
];
