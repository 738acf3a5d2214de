/** Requests for whole lists, with which the rules compare what a program was given. */
import { origins } from "./observer.ts";
import type { Json, WalkStep } from "./scenario.ts";

/** The paths of the lists, from the contract. */
const paths: Readonly<Record<string, string>> = {
  "stores.list": "/v1/stores",
  "protocols.list": "/v1/stores/{}/protocols",
  "photos.list": "/v1/stores/{}/photos",
  "vehicles.list": "/vehicles",
  "vehicleGroups.list": "/vehicle-groups",
  "vehicleFields.list": "/vehicle-fields",
  "vehicleFields.listVehicles": "/vehicle-fields/{}/vehicles",
  "inspections.list": "/inspections",
  "inspectionTemplates.list": "/inspection-templates",
  "damages.list": "/damages",
  "driverAssignments.list": "/driver-assignments",
};

const steering = new Set(["limit", "resume", "onDrift", "verify", "maxIdleRequests", "page"]);

/** A request for the whole list on one page. */
export function targetOf(
  { method, path, query }: Pick<WalkStep, "method" | "path" | "query">,
  readings: Readonly<Record<string, string>>,
  api: "store" | "fleet",
): string {
  const names: Readonly<Record<string, string | undefined>> = {
    vehicleGroup: readings["templates.group-filter"],
    title: readings["templates.title-filter"],
  };
  const filters = Object.entries(query).filter(([property]) => !steering.has(property));
  const search = new URLSearchParams({ limit: "100" });
  for (const [property, value] of filters) search.set(names[property] ?? property, textOf(value));
  const pattern = paths[method] ?? "";
  const base = api === "fleet" ? new URL(origins.fleet).pathname : "";
  return `${base}${pattern.replace("{}", encodeURIComponent(path[0] ?? ""))}?${search.toString()}`;
}

export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
