import { objectOf, objectsIn } from "../../wire/json.ts";
import type { Call } from "../server/call.ts";
import type { Issue } from "../server/exchange.ts";
import { nameValue } from "../server/quotes.ts";
import { requestedStores } from "./fill-rates.ts";

/** Returns an issue for each value of a request that the server ignores, so that the response does not show the mistake. */
export function ignoredValues(call: Call): Issue[] {
  if (call.operation === "putStore") return ignoredExternalId(call);
  if (call.operation === "putExpositions") return ignoredExpositions(call);
  if (call.operation === "listPhotos") return unknownFilters(call);
  return call.operation === "getFillRates" ? unknownStores(call) : [];
}

/** gap stores.body-external-id */
function ignoredExternalId({ body, params, is }: Call): Issue[] {
  const { externalId } = objectOf(body);
  const isIgnored = is("stores.body-external-id", "path-wins") && typeof externalId === "string";
  if (!isIgnored || externalId === params.externalId) return [];
  const message = `must be the external ID in the path, not ${nameValue(externalId)}`;
  return [{ path: "externalId", message }];
}

/** Of two elements with one ID the last one counts. gaps lists.duplicates, expositions.unknown-id */
function ignoredExpositions({ body, params, is, store }: Call): Issue[] {
  const ids = objectsIn(objectOf(body).expositions).map(({ expositionId }) =>
    typeof expositionId === "string" ? expositionId.toLowerCase() : "",
  );
  const stored = store.expositions.read(params.externalId ?? "") ?? [];
  const known = new Set(stored.map(({ expositionId }) => expositionId.toLowerCase()));
  const isReplaced = is("expositions.unknown-id", "created-with-new-id");
  return ids.flatMap((id, index): Issue[] => {
    const path = `expositions.${index}.expositionId`;
    if (id === "") return [];
    if (ids.lastIndexOf(id) !== index)
      return [{ path, message: "must not be that of another element, which replaces this one" }];
    return isReplaced && !known.has(id)
      ? [{ path, message: "is not the ID of an exposition of this store" }]
      : [];
  });
}

/** UUIDs are equal in upper and lower case. gap photos.unknown-ids */
function unknownFilters({ sentQuery, params, store }: Call): Issue[] {
  const { externalId = "" } = params;
  if (!store.stores.has(externalId)) return [];
  const photos = store.photos.read(externalId) ?? [];
  const known = {
    protocolId: [...(store.protocols.read(externalId) ?? []), ...photos],
    expositionId: [...(store.expositions.read(externalId) ?? []), ...photos],
  };
  return (["protocolId", "expositionId"] as const).flatMap((name) => {
    const given = sentQuery[name];
    const isKnown = known[name].some(
      (row) => String(Reflect.get(row, name)).toLowerCase() === String(given).toLowerCase(),
    );
    if (typeof given !== "string" || isKnown) return [];
    const message = `no ${name.slice(0, -"Id".length)} of this store has the ID ${nameValue(given)}`;
    return [{ path: name, message, code: "not_found" }];
  });
}

/** gap fill-rates.unknown-stores */
function unknownStores({ sentQuery, store }: Call): Issue[] {
  return requestedStores(sentQuery.externalIds)
    .filter((id) => !store.stores.has(id))
    .map((id) => ({ path: "externalIds", message: `no store has the external ID ${nameValue(id)}` }));
}
