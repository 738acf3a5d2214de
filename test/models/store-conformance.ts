/** The reference server with the data and the readings of a model, and what their responses must agree in. */
import { createReferenceServer, type ReadingsOption, type ReferenceServer } from "../../src/mock/index.ts";
import { differIn } from "./agreement.ts";
import { isObject, type Json, type JsonObject } from "./exchange.ts";
import { formatInstant } from "./instants.ts";
import { createStoreModel, type StoreModel, type StoreModelOptions } from "./store-model.ts";
import { type Observed, type Send, storeSender } from "./store-observations.ts";
import type { StoreRecord } from "./store-state.ts";
import { protocolId } from "./store-views.ts";

const now = "2026-06-15T12:00:00Z";

const instant = (micros: number): string => formatInstant(micros, true);

/** A store of the model as the reference server seeds it. */
function seedOf({ readings }: StoreModel, record: StoreRecord): object {
  const { store, contacts, expectations, expositions, protocols } = record;
  if (store.externalId === null) return store;
  return {
    ...store,
    contacts: contacts.map((contact) => ({ ...contact, createdAt: instant(contact.createdAt) })),
    expectations: expectations.map((one) => ({ ...one, updatedAt: instant(one.updatedAt) })),
    expositions,
    protocols: protocols.map((protocol) => ({
      protocolId: protocolId(protocol, readings),
      status: protocol.status,
      createdAt: instant(protocol.createdAt),
      submittedAt: protocol.submittedAt === null ? null : instant(protocol.submittedAt),
      ...protocol.extra,
    })),
    photos: protocols.flatMap((protocol) =>
      protocol.photos.map((photo) => ({
        ...photo,
        protocolId: protocolId(protocol, readings),
        takenAt: instant(photo.takenAt),
        createdAt: instant(photo.takenAt),
      })),
    ),
  };
}

/** The order of a list whose stores without external ID are among the others. */
const byPlace = (a: StoreRecord, b: StoreRecord): number =>
  (a.store.externalId ?? a.place) < (b.store.externalId ?? b.place) ? -1 : 1;

function serverOf(model: StoreModel, readings: ReadingsOption): ReferenceServer {
  const token = model.authorization.slice("Bearer ".length);
  const stores = model.state.stores.toSorted(byPlace).map((record) => seedOf(model, record));
  return createReferenceServer({ now, readings, store: { token, stores: stores as never[] } }); // plain JSON
}

/** A request of an observation, and the response of the model. */
interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly body: Json | string | undefined;
  readonly response: Observed;
}

async function sendTo(ref: ReferenceServer, { method, target, body }: Exchange): Promise<Observed> {
  const response = await ref.fetch(ref.storeUrl + target, {
    method,
    headers: { authorization: `Bearer ${ref.token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, value: text === "" ? null : (JSON.parse(text) as Json) }; // the server sends JSON
}

const cursorOf = ({ value }: Observed): string => {
  const cursor = isObject(value) ? (value["nextCursor"] ?? value["cursor"]) : undefined;
  return typeof cursor === "string" ? encodeURIComponent(cursor) : "";
};

/**
 * Sends requests to a model, then the same to a reference server with its data, each with its own cursors. Returns
 * where the responses differ.
 */
export async function compareStores(
  options: StoreModelOptions & { readings: object },
  observe: (send: Send) => unknown,
): Promise<string[]> {
  const model = createStoreModel({ ...options, now: () => Date.parse(now) });
  // the contract leaves the order of protocols with one instant open
  model.change(({ stores }) => {
    for (const { protocols } of stores)
      protocols.sort((a, b) => a.createdAt - b.createdAt || (a.protocolId < b.protocolId ? -1 : 1));
  });
  const ref = serverOf(model, options.readings);
  const seeded = JSON.stringify(model.state);
  const exchanges: Exchange[] = [];
  const send = storeSender(model);
  observe((method, target, body) => {
    const response = send(method, target, body);
    exchanges.push({ method, target, body, response });
    return response;
  });
  const cursors = new Map<string, string>();
  const differences: string[] = [];
  for (const exchange of exchanges) {
    const target = exchange.target.replace(
      /(?<=[?&]cursor=)[^&]+/,
      (cursor) => cursors.get(cursor) ?? cursor,
    );
    const response = await sendTo(ref, { ...exchange, target });
    cursors.set(cursorOf(exchange.response), cursorOf(response));
    const list = /(?:\/protocols(?=\/)|[^/?]+(?=$|\?))/.exec(exchange.target)?.[0] ?? "";
    const found = differ(response, exchange.response, list, seeded);
    differences.push(...found.map((difference) => `${exchange.method} ${exchange.target}: ${difference}`));
  }
  return differences;
}

function differ(mock: Observed, model: Observed, list: string, seeded: string): string[] {
  // the contract lists no status for a path or method that it does not name
  if ([404, 405].includes(mock.status) && model.status === 405) return [];
  if (mock.status !== model.status) return [`status ${mock.status}, model ${model.status}`];
  if (mock.status >= 400) return differInError(mock, model);
  const isOpen = (property: string): boolean => undocumented[list]?.includes(property) === true;
  return differIn(mock.value, model.value, list, { seeded, isOpen });
}

/** Both have the same code and issues of the same properties. */
function differInError(mock: Observed, model: Observed): string[] {
  const [one, other] = [errorOf(mock), errorOf(model)];
  if (model.status !== 413 && one.code !== other.code) return [`code ${one.code}, model ${other.code}`];
  return one.paths === other.paths ? [] : [`issues of ${one.paths}, model ${other.paths}`];
}

function errorOf({ value }: Observed): { code: string; paths: string } {
  const error = isObject(value) && isObject(value["error"]) ? value["error"] : {};
  const issues = (error["issues"] ?? []) as JsonObject[]; // as the contract shows them
  const paths = issues.map(({ path }) => JSON.stringify(path)).toSorted((a, b) => a.localeCompare(b));
  return { code: JSON.stringify(error["code"]), paths: paths.join() };
}

/** Properties that the contract does not show, by the last part of the path: one server has them. */
const undocumented: Readonly<Record<string, readonly string[]>> = {
  protocols: ["externalId"],
  "/protocols": ["externalId", "protocolId", "createdAt"],
  photos: ["fillRate", "createdAt", "protocolStatus", "count", "total", "byNumber"],
  "fill-rates": ["from", "to", "status", "category", "productCategory"],
  "fill-rate": ["from", "to", "status", "category", "productCategory"],
};
