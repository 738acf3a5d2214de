/**
 * Which calls may be sent again after they may have been processed, written from the contract and the gap register
 * and not from the client's table.
 */
import type { CallStep, Json, JsonObject } from "./scenario.ts";

type ReadingOfGap = (gap: string) => string | undefined;

const writeVerbs = new Set(["upsert", "replace", "create", "update", "submit", "delete", "release"]);

/** Whether a call changes something at the service. */
export function isWrite({ method, args }: CallStep): boolean {
  if (method === "fetch") return args[0] !== "GET";
  return writeVerbs.has(method.split(".")[1] ?? "") || method === "expositions.upsert";
}

/** Whether two equal requests have the effect of one, according to the readings that the client has. */
export function isRepeatable(step: CallStep, readingOf: ReadingOfGap): boolean {
  const { method, args } = step;
  if (method === "fetch") {
    const [verb, path] = args as readonly string[]; // scenarios give strings
    // an upsert of expositions, however its path is written
    return verb !== "POST" && verb !== "PATCH" && !decodeURIComponent(path ?? "").includes("expositions");
  }
  const [resource = "", verb = ""] = method.split(".");
  if (verb === "create" || verb === "submit") return false;
  if (verb === "update" && (resource === "inspections" || resource === "driverAssignments")) return false;
  if (method === "inspectionTemplates.update")
    return ["stays", "changes-only"].includes(readingOf("templates.version-after-put") ?? "");
  if (method === "stores.upsert") return isSameStore(args, readingOf);
  return method === "expositions.upsert" ? areMatched(args[1], readingOf) : true;
}

function isSameStore([path, body]: readonly Json[], readingOf: ReadingOfGap): boolean {
  const { externalId } = body as JsonObject; // scenarios give an object
  if (externalId === undefined || externalId === path) return true;
  return ["path-wins", "rejected"].includes(readingOf("stores.body-external-id") ?? "");
}

function areMatched(list: Json | undefined, readingOf: ReadingOfGap): boolean {
  const elements = list as readonly JsonObject[]; // scenarios give an array
  const matching = readingOf("expositions.matching") ?? "";
  // two elements that mean one exposition once it is there create two while it is not
  const keys = elements.map(({ label, expositionType }) =>
    JSON.stringify({ label: [label], type: [expositionType] }[matching] ?? [label, expositionType]),
  );
  if (elements.some(({ expositionId }) => expositionId === undefined) && new Set(keys).size < keys.length)
    return false;
  const isMatched = ["label", "type", "label-and-type"].includes(matching);
  const isKnown = ["created", "not-found", "invalid"].includes(readingOf("expositions.unknown-id") ?? "");
  return elements.every(({ expositionId }) => (expositionId === undefined ? isMatched : isKnown));
}
