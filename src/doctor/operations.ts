import { zForbiddenErrorBody } from "../../generated/fleet.schemas.ts";
import { CheckError, NoDataError, type Reply } from "./client.ts";
import { checkError } from "./connection.ts";
import { entriesAt, type Enumerations, findDifferences, type Schema, valueAt, valuesAt } from "./schema.ts";
import { daysBefore, type Service } from "./service.ts";

export const protocols = "/v1/stores/{externalId}/protocols";

/** Where lists show the parameters of other paths. The lists of the fleet API show `data[].id`. */
const parameters: Readonly<Record<string, readonly [parameter: string, ...places: string[]]>> = {
  "/v1/stores": ["externalId", "items[].externalId"],
  "/v1/stores/{externalId}/expositions": ["expositionId", "items[].expositionId"],
  [protocols]: ["protocolId", "items[].protocolId", "items[].id"],
};

/** Whether an ID can be part of a path. */
export function isUsableId(id: unknown): id is string {
  return typeof id === "string" && !["", ".", ".."].includes(id);
}

/** Sends one operation and compares its response with the contract. */
export async function checkOperation(service: Service, path: string, schema: Schema, values?: Enumerations) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const missing = names.find((name) => service.idOf(path, name) === undefined);
  if (missing !== undefined) throw new NoDataError(`no list has shown the ${missing} of this path`);
  if (path === protocols && service.target.from === undefined) await widenRange(service);
  const reply = service.replies.get(path) ?? (await service.get(path));
  const { status, body, form, headers } = reply;
  service.replies.set(path, reply);
  if (status === 403 && service.target.api === "fleet") checkForbidden(service, path, body);
  if (status === 404 && names.length > 0) await checkMissing(service, path, names.at(-1) ?? "");
  else if (status !== 200) service.differ(`status ${status} instead of 200`);
  if (status !== 200) return;
  const differences = form === "JSON" ? findDifferences(body, schema, values) : [`the body is ${form}`];
  const isJson = /^application\/json\s*(?:;|$)/i.test(headers.get("content-type") ?? "");
  if (!isJson) differences.push("the content type is not application/json");
  const count = [...valuesAt(body, "items[]"), ...valuesAt(body, "data[]")].length;
  if (!service.differ(...differences)) service.ok(`as documented${count > 0 ? ` (${count} entries)` : ""}`);
  service.isSeen ||= Array.isArray(valueAt(body, service.target.api === "store" ? "items" : "data"));
  const [parameter, ...places] = parameters[path] ?? [path, "data[].id"];
  const id = places.flatMap((place) => valuesAt(body, place)).find(isUsableId);
  if (id !== undefined && !service.ids.has(parameter)) service.ids.set(parameter, id);
}

/** If the last 30 days have no protocol, ranges begin ten years ago. */
async function widenRange(service: Service): Promise<void> {
  const { from, to } = service.range;
  const recent = await service.get(protocols);
  service.replies.set(protocols, recent);
  if (recent.status !== 200 || valuesAt(recent.body, "items[]").length > 0) return;
  service.range.from = daysBefore(to, 3_650);
  const all = await service.get(protocols);
  if (all.status === 200) service.replies.set(protocols, all);
  else service.range.from = from; // the service limits ranges
}

/** The operations for which the contract's prose names another scope than its table. */
const disputed: ReadonlySet<string> = new Set(["/inspection-templates", "/damages/{id}"]);

function checkForbidden(service: Service, path: string, body: unknown): never {
  const scope = `${path.split("/")[1]}:read`; // as the contract's table names it
  const isDisputed = disputed.has(path);
  service.differ(...findDifferences(body, zForbiddenErrorBody).map((text) => `the body of 403: ${text}`));
  if (!isDisputed && valuesAt(body, "errors[].details.available[]").includes(scope))
    service.differ(`403, although the key has ${scope}`);
  throw new NoDataError(`403: the key lacks ${isDisputed ? "a scope" : scope}`);
}

/** An entity may have been removed since its list was read. */
async function checkMissing(service: Service, path: string, name: string): Promise<void> {
  if (name === "externalId" && service.target.externalId !== undefined)
    throw new CheckError("404: no store has the external ID of --external-id", "give another --external-id");
  const { body } = await service.get(path.slice(0, path.indexOf(`/{${name}}`)));
  const entries = [...entriesAt(body, "items"), ...entriesAt(body, "data")];
  const isListed = entries.some((entry) => Object.values(entry).includes(service.idOf(path, name)));
  if (!isListed) throw new NoDataError("404: the entity was removed during the run");
  if (path === "/inspection-templates/{id}")
    service.read("templates.get-one", "absent", "404: only their list has templates");
  else service.differ("404 for an ID that its list contains");
  checkError(service, service.replies.get(path) as Reply, 404);
}
