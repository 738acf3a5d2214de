import type { FleetState } from "../../src/mock/index.ts";
import type { Ask, AskTable, Asks } from "./ask.ts";

const PAGES: Ask[] = [{}, { query: { page: 2, limit: 1 } }, { query: { limit: 100 } }];
const WRONG_PAGES: Ask[] = [{ query: { limit: "many" } }, { query: { page: 1.5 } }];
const OPEN_PAGES: Ask[] = [
  { query: { limit: 0 } },
  { query: { limit: 101 } },
  { query: { page: 0 } },
  { query: { page: 9_999 } },
  { query: { nonsense: 1 } },
  { version: "v9" },
];
const NO_OBJECT: Ask[] = [{ body: [] }, { body: "text" }];

function list(filters: Ask[] = [], wrong: Ask[] = []): Asks {
  return { good: [...PAGES, ...filters], bad: [...WRONG_PAGES, ...wrong], open: OPEN_PAGES };
}

function read(...ids: string[]): Asks {
  return {
    good: ids.map((id) => ({ path: { id } })),
    unknown: [{ path: { id: "no one" } }],
    open: [{ path: { id: ids[0] ?? "" }, version: "v9" }],
  };
}

function create(...bodies: object[]): Asks {
  return { good: bodies.map((body) => ({ body })), bad: NO_OBJECT };
}

function change(id: string, ...bodies: object[]): Asks {
  return {
    good: bodies.map((body) => ({ path: { id }, body })),
    bad: NO_OBJECT.map((ask) => ({ ...ask, path: { id } })),
    unknown: [{ path: { id: "no one" }, body: {} }],
  };
}

/** The second time is gap fleet.second-delete. */
function remove(id: string): Asks {
  return { good: [{ path: { id } }], unknown: [{ path: { id: "no one" } }], open: [{ path: { id } }] };
}

function firstOf(rows: FleetState[keyof FleetState]): string {
  const [id = ""] = rows.keys();
  return id;
}

const REPORT = { vehicleId: "vehicle-2", description: "Scratch", photoUrl: "/photos/1.jpg" };
const PLACE = { title: "Depot", latitude: 52.23, longitude: 21.01 };
const QUESTIONS = ["TEXT", "NUMBER", "BOOLEAN", "PHOTO", "DATE", "SIGNATURE", "SELECT"].map((inputType) => ({
  label: inputType,
  inputType,
}));

/** Each operation of the fleet API, with all that its answers depend on. */
export const fleetAsks: AskTable = ({ state: { fleet } }) => {
  const inspection = firstOf(fleet.inspections);
  return {
    listVehicles: list(),
    getVehicle: read("vehicle-1"),
    createVehicle: create({ plateNumber: "WX 1", brand: "MAN", model: "TGX" }, {}),
    updateVehicle: change("vehicle-2", { plateNumber: "WX 2" }, {}),
    deleteVehicle: remove("vehicle-3"),
    listVehicleGroups: list(),
    getVehicleGroup: read("group-1"),
    createVehicleGroup: create({ name: "Depot" }),
    updateVehicleGroup: change("group-2", { name: "Depot" }),
    deleteVehicleGroup: remove("group-3"),
    listVehicleFields: list([{ query: { search: "e" } }, { query: { search: "nothing has this" } }]),
    listVehicleFieldVehicles: {
      good: ["field-1", "field-2", "field-3", firstOf(fleet.vehicleFields)].flatMap((id) => [
        { path: { id } },
        { path: { id }, query: { status: "NOT_OK", search: "a", limit: 2 } },
      ]),
      bad: [{ path: { id: "field-1" }, query: { status: "BROKEN" } }],
      unknown: [{ path: { id: "no one" } }],
      open: OPEN_PAGES.map((ask) => ({ ...ask, path: { id: "field-1" } })),
    },
    listInspections: list(),
    getInspection: read(...[...fleet.inspections.keys()].slice(0, 8)),
    submitInspection: create(
      {
        templateId: "template-1",
        vehicleIds: ["vehicle-1", "vehicle-2"],
        damages: [REPORT],
        location: PLACE,
      },
      { notes: "Nothing else" },
    ),
    updateInspection: change(inspection, { notes: "Looked at twice" }),
    deleteInspection: remove(inspection),
    listInspectionTemplates: list(
      [
        ...["vehicleGroupId", "groupId", "vehicleGroup"].map((name) => ({ query: { [name]: "group-1" } })),
        ...["search", "title"].map((name) => ({ query: { [name]: "a" } })),
        { query: { isActive: true } },
        { query: { isActive: false } },
      ],
      [{ query: { isActive: "perhaps" } }],
    ),
    getInspectionTemplate: read("template-1"),
    createInspectionTemplate: create({ title: "Daily", items: QUESTIONS }, {}),
    updateInspectionTemplate: change("template-2", { title: "Weekly" }),
    deleteInspectionTemplate: remove("template-3"),
    listDamages: list(),
    getDamage: read(...[...fleet.damages.keys()].slice(0, 8)),
    createDamage: create({ vehicleId: "vehicle-1", description: "Dent", status: "TO_REPAIR_WARNING" }, {}),
    updateDamage: change("damage-2", { description: "Dent" }),
    deleteDamage: remove("damage-3"),
    listDriverAssignments: list(),
    getDriverAssignment: read("assignment-1"),
    createDriverAssignment: create({ vehicleId: "vehicle-1", driverId: "user-1" }, {}),
    updateDriverAssignment: change("assignment-2", { note: "Nights" }),
    releaseDriverAssignment: remove("assignment-3"),
  };
};
