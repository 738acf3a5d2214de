import type { FleetOperationId } from "../../generated/fleet.operations.ts";
import { fieldStatuses } from "../../generated/fleet.enums.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import type { RequestCase, ExtraCases } from "./request-cases.ts";

const secondPage: RequestCase = { query: { page: 2, limit: 1 } };
const pastTheEnd: RequestCase = { query: { page: 9_999 } };

/** The first rows, which the seed creates with the special cases of the resource. */
function reads(rows: ReadonlyMap<string, unknown>): RequestCase[] {
  return [...rows.keys()].slice(0, 8).map((id) => ({ path: { id } }));
}

const place = { title: "Depot", latitude: 52.23, longitude: 21.01 };
const questions = ["TEXT", "NUMBER", "BOOLEAN", "PHOTO", "DATE", "SIGNATURE", "SELECT"].map((inputType) => ({
  label: inputType,
  inputType,
}));

/** Data on which the responses of the fleet API depend, in addition to the rows of the operation table. */
export function extraFleetCases({ state: { fleet } }: ReferenceServer): ExtraCases<FleetOperationId> {
  const fields = ["field-1", "field-2", "field-3", [...fleet.vehicleFields.keys()][0] ?? ""];
  return {
    listVehicles: { good: [secondPage], open: [pastTheEnd] },
    createVehicle: { good: [{ body: {} }] },
    updateVehicle: { good: [{ path: { id: "vehicle-2" }, body: {} }] },
    deleteVehicle: { open: [{ path: { id: "vehicle-3" } }] },
    listVehicleFields: { good: [{ query: { search: "e" } }, { query: { search: "nothing has this" } }] },
    listVehicleFieldVehicles: {
      good: fields.flatMap((id) => [
        { path: { id } },
        { path: { id }, query: { status: fieldStatuses[2], search: "a", limit: 2 } },
      ]),
    },
    getInspection: { good: reads(fleet.inspections) },
    submitInspection: { good: [{ body: { location: place, notes: "Nothing else" } }] },
    listInspectionTemplates: {
      good: ["vehicleGroupId", "groupId", "vehicleGroup"]
        .map((name): RequestCase => ({ query: { [name]: "group-1" } }))
        .concat(["search", "title"].map((name) => ({ query: { [name]: "a" } }))),
    },
    createInspectionTemplate: { good: [{ body: { title: "Daily", items: questions } }, { body: {} }] },
    getDamage: { good: reads(fleet.damages) },
    createDamage: { good: [{ body: { vehicleId: "vehicle-1", status: "TO_REPAIR_WARNING" } }, { body: {} }] },
    createDriverAssignment: { good: [{ body: {} }] },
  };
}
