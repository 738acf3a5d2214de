/** The data of the fleet model. */
import type { Json, JsonObject } from "../models/exchange.ts";
import { uuidAt } from "../models/random.ts";

export type Collection = keyof typeof prefixes;

const prefixes = {
  vehicles: "veh_",
  "vehicle-groups": "grp_",
  "vehicle-fields": "fld_",
  "inspection-templates": "tpl_",
  inspections: "",
  damages: "dmg_",
  "driver-assignments": "asg_",
};

export interface Entity {
  id: string;
  deleted: boolean;
  properties: Record<string, Json>;
}

export interface FleetState {
  seed: number;
  ids: number;
  requests: number;
  /** Filters of first pages, by path (gap lists.filters-across-pages). */
  remembered: Record<string, string>;
  entities: Record<Collection, Entity[]>;
}

export function nextId(state: FleetState, collection: Collection): string {
  state.ids += 1;
  const uuid = uuidAt(state.seed, state.ids);
  return collection === "inspections" ? uuid : `${prefixes[collection]}${uuid.slice(0, 8)}${uuid.slice(-4)}`;
}

export const user = { id: "usr_1", firstName: "Anna", lastName: "Driver", email: "anna@fleet.example" };

export function instant(hours: number): string {
  return new Date(Date.UTC(2026, 2, 1, 8 + hours)).toISOString();
}

const item = {
  label: "Question",
  inputType: "SELECT",
  isRequired: true,
  order: 1,
  instructionImageUrl: null,
};
const option = { id: "opt_1", label: "Good", value: "good", status: "OK" };
const times = { createdAt: instant(0), updatedAt: instant(1) };

const seeds: Readonly<Record<Collection, (index: number, templates: readonly Entity[]) => JsonObject>> = {
  vehicles: (at) => ({
    plateNumber: `WX ${at}`,
    brand: "MAN",
    model: "M",
    vin: `V${at}`,
    type: "TRACTOR_UNIT",
    groupIds: [],
  }),
  "vehicle-groups": (at) => ({ name: `Group ${at}` }),
  "vehicle-fields": (at) => ({
    label: `Field ${at}`,
    description: "",
    inputType: "SELECT",
    isRequired: at % 2 === 0,
    instructionImageUrl: null,
    hasStatusRule: at % 2 === 0,
    groupIds: [],
    options: [option],
    ...times,
  }),
  "inspection-templates": (at) => ({
    title: at % 2 === 0 ? `Departure check ${at}` : `Return ${at}`,
    description: "",
    version: 1,
    isActive: at % 3 !== 1,
    items: [{ id: `item_${at}`, ...item }],
    ...times,
  }),
  inspections: (at, templates) => ({
    templateId: templates[at % templates.length]?.id ?? "",
    vehicleIds: [],
    performedAt: instant(at),
    notes: `Notes ${at}`,
  }),
  damages: (at) => ({ description: `Damage ${at}`, reportedAt: instant(at) }),
  "driver-assignments": (at) => ({ vehicleId: null, driverId: user.id, startsAt: instant(at), endsAt: null }),
};

export function createFleetState(seed: number, sizes: Readonly<Record<Collection, number>>): FleetState {
  const none: Entity[] = [];
  const names = Object.keys(prefixes) as Collection[];
  const entities = Object.fromEntries(names.map((name) => [name, none])) as Record<Collection, Entity[]>;
  const state: FleetState = { seed, ids: 0, requests: 0, remembered: {}, entities };
  for (const name of names)
    entities[name] = Array.from({ length: sizes[name] }, (_, at) => {
      return {
        id: nextId(state, name),
        deleted: false,
        properties: { ...seeds[name](at, entities["inspection-templates"]) },
      };
    });
  return state;
}
