/** Random steps of programs that use the fleet client. */
import type { Draft } from "./generate.ts";
import { walkStyle } from "./generate-walk.ts";
import type { CallStep, Json, JsonObject, Step, WalkStep } from "./scenario.ts";

type MakeStep = (draft: Draft) => Step;

const call = (method: string, ...args: readonly Json[]): CallStep => ({ do: "call", method, args });

export function fleetStep(draft: Draft): Step {
  return draft.random.pick(steps)(draft);
}

/** `$vehicles.2` stands for the ID of the third vehicle; the service knows it. */
function idOf({ random }: Draft, collection: string): string {
  return random.chance(0.9) ? `$${collection}.${random.integer(0, 3)}` : "unknown";
}

const walkOf =
  (method: string): MakeStep =>
  (draft) =>
    walk(draft, method, [], {});

const walkFieldVehicles: MakeStep = (draft) => {
  const status = draft.random.chance(0.2) ? { status: "OK" } : {};
  return walk(draft, "vehicleFields.listVehicles", [idOf(draft, "vehicle-fields")], status);
};

const walkTemplates: MakeStep = (draft) => {
  const { random, configuredGaps } = draft;
  const title =
    random.chance(0.3) && configuredGaps.includes("templates.title-filter") ? { title: "check" } : {};
  const active = random.chance(0.3) ? { isActive: random.chance(0.7) } : {};
  return walk(draft, "inspectionTemplates.list", [], { ...title, ...active });
};

function walk({ random }: Draft, method: string, path: readonly string[], filters: JsonObject): WalkStep {
  const limit = random.chance(0.9) ? { limit: random.pick([1, 2, 2, 3, 5]) } : {};
  const drift = random.chance(0.25) ? { onDrift: random.pick(["throw", "report"]) } : {};
  const verify = random.chance(0.35) ? { verify: true } : {};
  const query = { ...filters, ...limit, ...drift, ...verify };
  return { do: "walk", method, path, query, ...walkStyle(random, { limit: 51 }) };
}

const createVehicle: MakeStep = ({ random }) =>
  call("vehicles.create", { plateNumber: `P ${random.integer(1, 99)}`, brand: "MAN" });

const updateVehicle: MakeStep = (draft) =>
  call("vehicles.update", idOf(draft, "vehicles"), { plateNumber: `U ${draft.random.integer(1, 99)}` });

const updateTemplate: MakeStep = (draft) =>
  call("inspectionTemplates.update", idOf(draft, "inspection-templates"), {
    title: `Title ${draft.random.integer(1, 2)}`,
    description: "",
    isActive: true,
    items: [],
  });

const submitInspection: MakeStep = (draft) =>
  call("inspections.submit", {
    templateId: idOf(draft, "inspection-templates"),
    vehicleIds: [idOf(draft, "vehicles")],
    notes: "submitted",
  });

const updateInspection: MakeStep = (draft) =>
  call("inspections.update", idOf(draft, "inspections"), { notes: `Notes ${draft.random.integer(1, 9)}` });

const createDamage: MakeStep = (draft) =>
  call("damages.create", { vehicleId: idOf(draft, "vehicles"), description: "a dent" });

const createGroup: MakeStep = ({ random }) =>
  call("vehicleGroups.create", { name: `Group ${random.integer(1, 9)}` });

const updateAssignment: MakeStep = (draft) =>
  call("driverAssignments.update", idOf(draft, "driver-assignments"), { endsAt: null });

const byFetch: MakeStep = (draft) =>
  draft.random.chance(0.6)
    ? call("fetch", "GET", `/vehicles/${idOf(draft, "vehicles")}`)
    : call("fetch", "POST", "/vehicle-groups", { name: "Fetched" });

const get =
  (method: string, collection: string): MakeStep =>
  (draft) =>
    call(method, idOf(draft, collection));

const lists = ["vehicles.list", "vehicleFields.list", "inspectionTemplates.list", "damages.list"] as const;

/** One page, often past the last one. */
const onePage: MakeStep = ({ random }) =>
  call(random.pick(lists), { page: random.pick([1, 9, 20]), limit: random.pick([2, 50]) });

const steps: readonly MakeStep[] = [
  onePage,
  onePage,
  onePage,
  onePage,
  walkOf("vehicles.list"),
  walkOf("vehicles.list"),
  walkOf("vehicles.list"),
  walkOf("vehicleGroups.list"),
  walkOf("vehicleFields.list"),
  walkOf("inspections.list"),
  walkOf("inspections.list"),
  walkOf("damages.list"),
  walkOf("damages.list"),
  walkOf("driverAssignments.list"),
  walkFieldVehicles,
  walkFieldVehicles,
  walkFieldVehicles,
  walkFieldVehicles,
  walkTemplates,
  walkTemplates,
  createVehicle,
  createVehicle,
  updateVehicle,
  updateTemplate,
  updateTemplate,
  updateTemplate,
  submitInspection,
  updateInspection,
  updateInspection,
  updateInspection,
  updateInspection,
  createDamage,
  createGroup,
  updateAssignment,
  updateAssignment,
  updateAssignment,
  byFetch,
  get("vehicles.get", "vehicles"),
  get("vehicles.delete", "vehicles"),
  get("vehicles.delete", "vehicles"),
  get("damages.get", "damages"),
  get("damages.get", "damages"),
  get("damages.get", "damages"),
  get("inspections.get", "inspections"),
  get("inspections.get", "inspections"),
  get("inspectionTemplates.get", "inspection-templates"),
  get("inspectionTemplates.get", "inspection-templates"),
  get("driverAssignments.release", "driver-assignments"),
  get("vehicleGroups.delete", "vehicle-groups"),
];
