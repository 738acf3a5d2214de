import { type Draft, pathNames } from "./call-arguments.ts";
import { isList, type Operation } from "./operations.ts";
import { server } from "./server.ts";
import { range } from "./server-options.ts";

/** The initial input of a form: existing IDs and an example body, so that the call succeeds. */
export function prefilled(operation: Operation): Draft {
  const ids = pathIds(operation);
  const values: Record<string, string> = { ...ids };
  for (const { name, required } of operation.parameters) {
    if (required && name in range) values[name] = range[name as keyof typeof range];
  }
  if (isList(operation)) values.limit = "5";
  return { values, body: exampleBody(operation, 0, ids) };
}

/** An example body with IDs that exist. */
export function exampleBody(operation: Operation, index: number, ids: Record<string, string>): string {
  const example = operation.body?.examples[index];
  if (example === undefined) return "";
  const { argument } = operation.body ?? {};
  const value = typeof argument === "string" ? example.value[argument] : example.value;
  return JSON.stringify(withKnownIds(value, { ...knownIds(), ...ids }), null, 2);
}

function pathIds(operation: Operation): Record<string, string> {
  const known = knownIds();
  const names = pathNames(operation);
  return Object.fromEntries(
    names.map((name) => [name, name === "id" ? fleetId(operation) : (known[name] ?? "")]),
  );
}

/** Returns the ID of the resource in the path: the last one for DELETE, otherwise the first one. */
function fleetId({ id, method, path }: Operation): string {
  const fleet = server.value.state.fleet;
  const resource = path.split("/")[1]?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) ?? "";
  const keys = [...(fleet[resource as keyof typeof fleet] ?? []).keys()].map(String);
  return (method === "DELETE" ? keys.at(-1) : keys[0]) ?? `no ${id} left`;
}

function knownIds(): Record<string, string> {
  const { store, fleet } = server.value.state;
  const [externalId = ""] = store.stores.keys();
  return {
    externalId,
    protocolId: store.protocols.get(externalId)?.[0]?.protocolId ?? "",
    expositionId: store.expositions.get(externalId)?.[0]?.expositionId ?? "",
    vehicleId: first(fleet.vehicles),
    templateId: first(fleet.inspectionTemplates),
  };
}

function first(rows: ReadonlyMap<string, unknown>): string {
  const [id = ""] = rows.keys();
  return id;
}

/** Replaces the invented IDs of an example by those of the server. */
function withKnownIds(value: unknown, ids: Record<string, string>, name = ""): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => withKnownIds(element, ids, name));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, property]) => [key, withKnownIds(property, ids, key)]),
    );
  }
  return ids[name] ?? ids[name.replace(/Ids$/, "Id")] ?? value;
}
