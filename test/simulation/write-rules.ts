/**
 * Which calls may be sent again after they may have been processed, written from the contract and the gap register
 * and not from the client's table.
 */
import type { CallStep, Json, JsonObject } from "./scenario.ts";

type Told = (gap: string) => string | undefined;

const writeVerbs = new Set(["upsert", "replace", "create", "update", "submit", "delete", "release"]);

/** Whether a call changes something at the service. */
export function isWrite({ method, args }: CallStep): boolean {
  if (method === "fetch") return args[0] !== "GET";
  return writeVerbs.has(method.split(".")[1] ?? "") || method === "expositions.upsert";
}

/** Whether two equal requests have the effect of one, according to the readings that the client has. */
export function isRepeatable(step: CallStep, told: Told): boolean {
  const { method, args } = step;
  if (method === "fetch") return args[0] !== "POST" && args[0] !== "PATCH";
  const [resource = "", verb = ""] = method.split(".");
  if (verb === "create" || verb === "submit") return false;
  if (verb === "update" && (resource === "inspections" || resource === "driverAssignments")) return false;
  if (method === "inspectionTemplates.update")
    return ["stays", "changes-only"].includes(told("templates.version-after-put") ?? "");
  if (method === "stores.upsert") return isSameStore(args, told);
  return method === "expositions.upsert" ? areMatched(args[1], told) : true;
}

function isSameStore([path, body]: readonly Json[], told: Told): boolean {
  const { externalId } = body as JsonObject; // scenarios give an object
  if (externalId === undefined || externalId === path) return true;
  return ["path-wins", "rejected"].includes(told("stores.body-external-id") ?? "");
}

function areMatched(list: Json | undefined, told: Told): boolean {
  const elements = list as readonly JsonObject[]; // scenarios give an array
  const matching = told("expositions.matching") ?? "";
  // two elements that mean one exposition once it is there create two while it is not
  const keys = elements.map(({ label, expositionType }) =>
    JSON.stringify({ label: [label], type: [expositionType] }[matching] ?? [label, expositionType]),
  );
  if (elements.some(({ expositionId }) => expositionId === undefined) && new Set(keys).size < keys.length)
    return false;
  const isMatched = ["label", "type", "label-and-type"].includes(matching);
  const isKnown = ["created", "not-found", "invalid"].includes(told("expositions.unknown-id") ?? "");
  return elements.every(({ expositionId }) => (expositionId === undefined ? isMatched : isKnown));
}
