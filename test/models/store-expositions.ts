/** The upsert of expositions in the store model. */
import { expositionLimit } from "../generate/contract-table.ts";
import { list, nullable, object, oneOf, text, uuid } from "./checks.ts";
import type { Json, JsonObject, ModelResponse } from "./exchange.ts";
import type { StoreReadings } from "./readings.ts";
import { applyCall, type BodyCheck, effective, elementsOf, type KeyOf, listCheck } from "./store-bodies.ts";
import {
  type Exposition,
  expositionTypes,
  nextId,
  productCategories,
  type StoreRecord,
} from "./store-state.ts";
import { expositionView } from "./store-views.ts";
import { failure, type RecordCall, type StoreWorld, success } from "./store-world.ts";

const expositionList = object({
  "expositions!": list(
    object({
      expositionId: uuid,
      "label!": text,
      friendlyTitle: nullable(text),
      "productCategories!": list(oneOf(productCategories)),
      "expositionType!": oneOf(expositionTypes),
      status: oneOf(["active", "disabled"]),
    }),
    expositionLimit,
  ),
});

/** The keys by which an exposition without ID is matched. */
const matchKeys: Record<
  StoreReadings["expositions.matching"],
  (exposition: Partial<Exposition>) => string | undefined
> = {
  "always-new": () => undefined,
  label: ({ label }) => JSON.stringify([label]),
  type: ({ expositionType }) => JSON.stringify([expositionType]),
  "label-and-type": ({ label, expositionType }) => JSON.stringify([label, expositionType]),
};

const expositionKey: KeyOf = (element, readings) =>
  typeof element["expositionId"] === "string"
    ? element["expositionId"].toLowerCase()
    : matchKeys[readings["expositions.matching"]](element);

/** An unknown `expositionId` is one of these checks too, under one of the readings. */
export const checkExpositions: BodyCheck = (body, world, path) => {
  const issues = listCheck(expositionList, "expositions", expositionKey)(body, world, path);
  if (issues.length > 0 || world.readings["expositions.unknown-id"] !== "invalid") return issues;
  const record = world.byExternalId.get(path["externalId"] ?? "");
  const elements = elementsOf(body, "expositions");
  return unknownIds(record, elements).map((id) => ({
    path: `expositions.${elements.findIndex(({ expositionId }) => expositionId === id)}.expositionId`,
    message: `${id} is not an exposition of this store`,
    code: "custom",
  }));
};

type ExpositionInput = Pick<Exposition, "label" | "productCategories" | "expositionType"> &
  Partial<Exposition>;

function hasId(exposition: Exposition, id: Json | undefined): boolean {
  return typeof id === "string" && exposition.expositionId.toLowerCase() === id.toLowerCase();
}

function unknownIds(record: StoreRecord | undefined, elements: readonly JsonObject[]): string[] {
  return elements
    .map(({ expositionId }) => expositionId)
    .filter((id) => typeof id === "string")
    .filter((id) => !record?.expositions.some((exposition) => hasId(exposition, id)));
}

/**
 * The exposition that an element means; undefined where it creates one. An element without ID means one that was
 * stored before the request and that no element names, so that two equal elements create two expositions.
 */
function findMeant(
  all: readonly Exposition[],
  before: ReadonlySet<string>,
  element: JsonObject,
  readings: StoreReadings,
) {
  const id = element["expositionId"];
  if (id !== undefined) return all.find((exposition) => hasId(exposition, id));
  const keyOf = matchKeys[readings["expositions.matching"]];
  const key = keyOf(element);
  return all.find((one) => key !== undefined && before.has(one.expositionId) && keyOf(one) === key);
}

function newExpositionId(world: StoreWorld, element: JsonObject): string {
  const id = element["expositionId"];
  return typeof id === "string" && world.readings["expositions.unknown-id"] === "created"
    ? id
    : nextId(world.state);
}

/** Writes one element into a list of expositions, and returns the exposition that it means from now on. */
function upsertExposition(
  world: StoreWorld,
  stored: Exposition[],
  before: ReadonlySet<string>,
  element: JsonObject,
) {
  const target = findMeant(stored, before, element, world.readings);
  // the body check found these types
  const {
    label,
    friendlyTitle,
    productCategories: categories,
    expositionType,
    status = "active",
  } = element as unknown as ExpositionInput;
  const keptTitle =
    world.readings["expositions.omitted-title"] === "kept" ? (target?.friendlyTitle ?? null) : null;
  const exposition: Exposition = {
    expositionId: target?.expositionId ?? newExpositionId(world, element),
    label,
    friendlyTitle: friendlyTitle === undefined ? keptTitle : friendlyTitle,
    productCategories: [...categories],
    expositionType,
    status,
  };
  if (target) stored.splice(stored.indexOf(target), 1, exposition);
  else stored.push(exposition);
  return exposition;
}

const withoutAbsent: Record<
  StoreReadings["expositions.absent"],
  (all: Exposition[], sent: Set<string>) => Exposition[]
> = {
  keep: (all) => all,
  disable: (all, sent) =>
    all.map((one) => (sent.has(one.expositionId) ? one : { ...one, status: "disabled" })),
  delete: (all, sent) => all.filter(({ expositionId }) => sent.has(expositionId)),
};

export function expositionListOf(
  world: StoreWorld,
  record: StoreRecord,
  only?: ReadonlySet<string>,
): ModelResponse {
  const selected = record.expositions.filter(({ expositionId }) => !only || only.has(expositionId));
  return success({
    externalId: record.store.externalId ?? "",
    storeId: record.store.storeId,
    items: selected.map((exposition) => expositionView(exposition, world.readings)),
  });
}

export function upsertExpositions(world: StoreWorld, call: RecordCall): ModelResponse {
  const { readings } = world;
  const elements = effective(elementsOf(call.body, "expositions"), expositionKey, readings);
  if (readings["expositions.unknown-id"] === "not-found" && unknownIds(call.record, elements).length > 0) {
    return failure(world, "not_found", "The store has no such exposition");
  }
  const stored = [...call.record.expositions];
  const before = new Set(
    stored
      .filter((exposition) => !elements.some(({ expositionId }) => hasId(exposition, expositionId)))
      .map(({ expositionId }) => expositionId),
  );
  const sent = new Set(
    elements.map((element) => upsertExposition(world, stored, before, element).expositionId),
  );
  call.record.expositions = withoutAbsent[readings["expositions.absent"]](stored, sent);
  applyCall(world, call);
  return expositionListOf(world, call.record, readings["expositions.response"] === "sent" ? sent : undefined);
}
