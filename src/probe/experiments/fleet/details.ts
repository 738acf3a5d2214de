import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { Missing, type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import { type JsonObject, objectOf, objectsIn } from "../../json.ts";
import { type Lab, fleetOf } from "../../lab.ts";
import { idsIn, listOf } from "./data.ts";

/** How many details are read. */
const MOST_DETAILS = 3;

/** Reads details of a list one after another, for `notice` to see. */
async function* details(lab: Lab, path: string, needs: string): AsyncGenerator<undefined, void> {
  const ids = idsIn(rowsOf(await listOf(lab, path)));
  yield undefined;
  for (const id of ids.slice(0, MOST_DETAILS)) {
    await fleetOf(lab).get(`${path}/${encodeURIComponent(id)}`);
    yield undefined;
  }
  throw new Missing(needs);
}

function dataOf(exchange: Exchange): JsonObject {
  return objectOf(bodyOf(exchange).data);
}

/** Members that only the template list shows. */
const FULL = ["items", "itemCount", "inspectionCount", "isActive"] as const;

export const templateMembers = experiment({
  gap: "inspections.template-members",
  consent: "read",
  cost: 2,
  needs: "two inspections",
  notice: (exchange) => {
    if (exchange.operation !== "getInspection" || !isOk(exchange)) return undefined;
    const template = objectOf(dataOf(exchange).template);
    if (template.id === undefined) return undefined;
    const more = FULL.filter((name) => template[name] !== undefined);
    const because = `The template of an inspection ${more.length > 0 ? `holds ${more.join(", ")}` : "holds none of its items"}.`;
    const seen = { more: more.length, items: Array.isArray(template.items) };
    return seen.items ? proof(seen, because, exchange) : sighting(seen, because, exchange);
  },
  observe: (lab) => details(lab, "/inspections", "two inspections"),
  readings: { "four-fields": ({ more }) => more === 0, full: ({ more, items }) => more > 1 && items },
});

/** Sees a value beyond those of the contract. */
function unseen(
  values: unknown[],
  known: readonly string[],
  what: string,
  exchange: Exchange,
): Sighting<boolean> | undefined {
  const other = values.find((value) => typeof value === "string" && value !== "" && !known.includes(value));
  if (other === undefined) return undefined;
  return proof(true, `${what} has a value that the contract does not show.`, exchange);
}

const OPEN = { "seen-only": (isOpen: boolean) => !isOpen, open: (isOpen: boolean) => isOpen };

function needsOther(what: string): string {
  return `${what} that the contract does not show; that none exists cannot be seen`;
}

export const inspectionStatuses = experiment<"inspections.status-values", boolean>({
  gap: "inspections.status-values",
  consent: "read",
  cost: 20,
  needs: needsOther("an inspection status"),
  notice: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const statuses: unknown[] = [];
    if (exchange.operation === "getInspection") statuses.push(dataOf(exchange).status);
    if (exchange.operation === "listInspections")
      statuses.push(...rowsOf(exchange).map(({ status }) => status));
    if (exchange.operation === "getDamage") statuses.push(objectOf(dataOf(exchange).inspection).status);
    return unseen(statuses, ["COMPLETED"], "An inspection's status", exchange);
  },
  observe: (lab) => details(lab, "/inspections", needsOther("an inspection status")),
  readings: OPEN,
});

export const damageStatuses = experiment<"damages.status-values", boolean>({
  gap: "damages.status-values",
  consent: "read",
  cost: 20,
  needs: needsOther("a damage status"),
  notice: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const statuses: unknown[] = [];
    if (exchange.operation === "getDamage") statuses.push(dataOf(exchange).status);
    if (exchange.operation === "listDamages") statuses.push(...rowsOf(exchange).map(({ status }) => status));
    if (exchange.operation === "getInspection")
      statuses.push(...objectsIn(dataOf(exchange).damages).map(({ status }) => status));
    return unseen(statuses, ["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"], "A damage's status", exchange);
  },
  observe: (lab) => details(lab, "/damages", needsOther("a damage status")),
  readings: OPEN,
});

export const vehicleTypes = experiment<"vehicles.type-values", boolean>({
  gap: "vehicles.type-values",
  consent: "read",
  cost: 20,
  needs: needsOther("a vehicle type"),
  notice: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const types: unknown[] = [];
    if (exchange.operation === "listVehicles") types.push(...rowsOf(exchange).map(({ type }) => type));
    if (exchange.operation === "getInspection")
      types.push(...objectsIn(dataOf(exchange).vehicles).map(({ type }) => type));
    return unseen(types, ["TRACTOR_UNIT"], "A vehicle's type", exchange);
  },
  observe: (lab) => details(lab, "/inspections", needsOther("a vehicle type")),
  readings: OPEN,
});
