/** A model of functions that read before they write: the requests that they send and the errors in which they end. */
import { isDeepStrictEqual } from "node:util";
import { WriteError } from "../../src/index.ts";
import type { Ending } from "./calls.ts";
import type { Exchange } from "./observer.ts";
import type { Json, JsonObject, WriteStep } from "./scenario.ts";
import { storeId } from "./store-data.ts";

/** The properties of an entity or of an element of a list, by the contract. */
interface Form {
  /** The values of properties that an element of a response lacks. */
  readonly absent: JsonObject;
  /** The properties that only the service sets. */
  readonly received: readonly string[];
  readonly required: readonly string[];
  readonly nullable: readonly string[];
}

function form(received: string, required: string, nullable = "", absent: JsonObject = {}): Form {
  const split = (names: string): string[] => names.split(" ").filter((name) => name !== "");
  return { received: split(received), required: split(required), nullable: split(nullable), absent };
}

const forms: Readonly<Record<string, Form>> = {
  stores: form(
    "storeId externalId",
    "storeId name openingTimes protocolScheduleId protocolCronEnabled onboardingComplete loginCode",
    "externalId location regionId storeType",
  ),
  contacts: form("contactId createdAt", "contactType name phone hasWhatsapp", "", { email: null }),
  expectations: form("expectationId updatedAt", "displayType weekday protocolTime expectedFillRatio", "", {
    productCategory: null,
  }),
  expositions: form("", "expositionId label productCategories expositionType status", "", {
    friendlyTitle: null,
  }),
};

/** A whole response to a request of a step. */
interface Reply {
  readonly method: string;
  readonly json: JsonObject;
}

function repliesOf(exchanges: readonly Exchange[]): Reply[] {
  return exchanges.flatMap(({ hasResponse, status, response, request }) => {
    const json = hasResponse && status === 200 ? tryParse(response.slice("200 whole ".length)) : undefined;
    const [method = ""] = request.split(" ");
    return json === undefined ? [] : [{ method, json }];
  });
}

/** The object of a response; undefined for another one, which may be cut. */
function tryParse(text: string): JsonObject | undefined {
  try {
    const json = JSON.parse(text) as JsonObject;
    return typeof json === "object" ? json : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): JsonObject {
  return JSON.parse(text) as JsonObject; // the model and the clients send objects
}

/** The paths at which an entity lacks what a write sends back. */
function findMissing({ required, nullable }: Form, entity: JsonObject | null, prefix: string): string[] {
  if (typeof entity !== "object" || entity === null) return [prefix.slice(0, -1)];
  const missing = [
    ...required.filter((name) => entity[name] === undefined || entity[name] === null),
    ...nullable.filter((name) => entity[name] === undefined),
  ];
  return missing.map((name) => prefix + name);
}

/** The reason why a response cannot be used, with the properties that the error names. */
function refuse(
  list: string,
  json: JsonObject,
  isSentBack = true,
): { reason: string; paths: readonly string[] } | undefined {
  const { externalId } = json;
  const isNull = externalId === null && list !== "stores";
  if (externalId !== undefined && !isNull && externalId !== storeId(0))
    return { reason: "other-entity", paths: ["externalId"] };
  const described = forms[list] as Form; // the step names a list of the table
  const items = (json["items"] ?? []) as readonly JsonObject[];
  const paths =
    list === "stores"
      ? findMissing(described, json, "")
      : items.flatMap((item, index) => findMissing(described, item, `items.${index}.`));
  for (const [index, item] of items.entries())
    if (typeof (item as JsonObject | null)?.["expositionId"] === "number")
      paths.push(`items.${index}.expositionId`);
  if (list !== "stores" && externalId === undefined) paths.unshift("externalId");
  if (list !== "stores" && (json["nextCursor"] ?? null) !== null) paths.push("nextCursor");
  if (paths.length > 0) return { reason: "malformed", paths };
  if (!isSentBack) return undefined;
  const inexact = list === "stores" ? findInexact(json) : findInexact(items);
  return inexact.length === 0 ? undefined : { reason: "malformed", paths: inexact };
}

/** The paths of integers that JavaScript does not hold exactly. */
function findInexact(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === "number")
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? [path.join(".")] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => findInexact(inner, [...path, name]));
}

/** An entity as it is sent back: with every property that the service does not set itself. */
function toInput({ received, absent }: Form, entity: JsonObject): JsonObject {
  const isRead = [...received, "expositionId"].some((name) => name in entity);
  if (isRead) entity = { ...absent, ...entity };
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !received.includes(name)));
}

/** The elements of a list after the change of a step. */
export function changeItems<T extends object>(
  { how = "append", desired }: WriteStep,
  items: readonly T[],
): T[] {
  const [change = {}] = desired;
  const [first, ...rest] = items;
  if (how === "append") return [...items, change as T]; // scenarios write elements of the list
  if (first === undefined || how === "same") return [...items];
  return how === "edit" ? [{ ...first, ...change }, ...rest] : rest;
}

/** The body that follows from what was read; undefined where nothing changes. */
function bodyOf(list: string, step: WriteStep, json: JsonObject): JsonObject | undefined {
  const described = forms[list] as Form;
  const [change = {}] = step.desired;
  if (list === "stores") {
    const differing = Object.entries(change).filter(([name, value]) => !isKept(value, json[name]));
    return differing.length === 0
      ? undefined
      : { ...toInput(described, json), ...Object.fromEntries(differing) };
  }
  const items = json["items"] as readonly JsonObject[];
  const changed = changeItems(step, items);
  if (isDeepStrictEqual(changed, [...items])) return undefined;
  return { [list]: changed.map((item) => toInput(described, item)) };
}

/** The problems of a `modify`. */
export function checkModify(step: WriteStep, exchanges: readonly Exchange[], ending: Ending): string[] {
  const [list = ""] = step.method.split(".");
  const replies = repliesOf(exchanges);
  const [first, ...others] = replies;
  const writes = exchanges.filter(({ request }) => !request.startsWith("GET"));
  if (first === undefined) return writes.length > 0 ? ["writes before it has read"] : [];
  const error = "error" in ending ? ending.error : undefined;
  const problems: string[] = [];
  const expectError = (expected: { reason: string; paths: readonly string[] }, sent: string): void => {
    const { reason, issues = [] } = error instanceof WriteError ? error : ({} as Partial<WriteError>);
    const paths = issues.map(({ path }) => path);
    if (reason !== expected.reason || !isDeepStrictEqual(paths, expected.paths))
      problems.push(`ends with ${reason} of ${paths.join()}, expected ${JSON.stringify(expected)}`);
    else if (!String(error).includes(sent)) problems.push(`does not say "${sent}": ${String(error)}`);
  };
  if (list !== "stores" && !Array.isArray(first.json["items"])) return problems; // the client reads no such list
  if ("error" in first.json) return problems; // an error with status 200 fails the read
  const refused = refuse(list, first.json);
  if (refused !== undefined) {
    if (writes.length > 0) problems.push("sends back what is not whole");
    expectError(refused, "not sent");
    return problems;
  }
  const body = bodyOf(list, step, first.json);
  for (const write of writes)
    if (!isDeepStrictEqual(parse(write.body ?? "{}"), body))
      problems.push(`sends ${write.body}, expected ${JSON.stringify(body)}`);
  const [read, readAgain] = replies
    .filter(({ method }) => method === "GET")
    .map(({ json }) => shown(list, json));
  if (step.isAsync === true && writes.length > 0 && read !== readAgain)
    problems.push("writes over a change that a second read shows, or without one");
  if (error === undefined && body === undefined && exchanges.length > 1 && others.length > 0)
    problems.push("sends a request although nothing changes");
  const stored = others.find(({ method }) => method === "PUT");
  const final = body === undefined ? first : stored;
  if (error === undefined && final === undefined) problems.push("did not write its change");
  if (
    error === undefined &&
    final !== undefined &&
    !isDeepStrictEqual("value" in ending && ending.value, final.json)
  )
    problems.push("resolves with another value than its last response");
  if (stored === undefined || body === undefined || "error" in stored.json) return problems;
  const [sent, kept] = [body[list], stored.json["items"]];
  const isLonger = Array.isArray(sent) && Array.isArray(kept) && kept.length > sent.length;
  if (isLonger && /contacts|expectations/.test(list) && error === undefined)
    problems.push(`accepts ${kept.length} elements instead of ${sent.length}`);
  if (list !== "stores") return problems;
  const wrong = refuse(list, stored.json, false);
  const known: JsonObject = { ...body, storeId: first.json["storeId"] ?? null };
  const differing = Object.keys(known).filter((name) => !isKept(known[name], stored.json[name]));
  if (wrong !== undefined) expectError(wrong, "was sent");
  else if (differing.length > 0) expectError({ reason: "differs", paths: differing }, "was sent");
  else if (error instanceof WriteError) problems.push(`ends with ${error.message}`);
  return problems;
}

/** Returns the part of a read that is sent back: a UUID has two letter cases, and a list may not show its store. */
function shown(list: string, json: JsonObject): string {
  const text = JSON.stringify(list === "stores" ? json : { ...json, externalId: "" });
  return text.toLowerCase().replaceAll(/,"(?:created|updated)at":"[^"]*"/g, "");
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A null list of opening times is an empty one in a response, and a UUID has two letter cases. */
function isKept(sent: Json | undefined, stored: Json | undefined): boolean {
  if (typeof sent === "string" && typeof stored === "string" && uuid.test(sent))
    return sent.toLowerCase() === stored.toLowerCase();
  return isDeepStrictEqual(sent, stored) || (sent === null && isDeepStrictEqual(stored, []));
}

/** Whether an element means a stored exposition: by its ID, or else by label and type. */
export function isSameExposition(stored: JsonObject, { expositionId: id, ...element }: JsonObject): boolean {
  if (id !== undefined) return isKept(id, stored["expositionId"]);
  return stored["label"] === element["label"] && stored["expositionType"] === element["expositionType"];
}

/** An exposition as `upsertExpositions` sends it: with what the element does not name, except its status. */
function overlay(stored: JsonObject, element: JsonObject): JsonObject {
  return {
    friendlyTitle: null,
    ...stored,
    status: "active",
    ...element,
    expositionId: stored["expositionId"] ?? null,
  };
}

/** The most expositions of one request. */
const mostExpositions = 500;

/** The problems of an upsert of expositions, which are matched by label and type. */
export function checkUpsert(step: WriteStep, exchanges: readonly Exchange[], ending: Ending): string[] {
  const replies = repliesOf(exchanges);
  const [first] = replies;
  const writes = exchanges.filter(({ request, hasResponse }) => !request.startsWith("GET") && hasResponse);
  if (first === undefined) return writes.length > 0 ? ["writes before it has read"] : [];
  const stored = first.json["items"] as readonly JsonObject[] | undefined;
  if (refuse("expositions", first.json) !== undefined || stored === undefined)
    return writes.length > 0 ? ["writes after a response that is not whole"] : [];
  const desired = step.desired.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => name !== step.omitted)),
  );
  const kept = stored.map((one) => {
    const element = desired.find((other) => isSameExposition(one, other));
    const whole = { friendlyTitle: null, ...one };
    return element === undefined ? whole : overlay(one, element);
  });
  const changed = kept.filter(
    (one, index) => !isDeepStrictEqual(one, { friendlyTitle: null, ...stored[index] }),
  );
  const created = desired.filter((element) => !stored.some((one) => isSameExposition(one, element)));
  const sent = step.absent === "keep" ? [...changed, ...created] : [...kept, ...created];
  const bodies = changed.length + created.length === 0 ? [] : [...chunk(sent)];
  const problems = writes.flatMap(({ body }) =>
    bodies.some((expected) => isDeepStrictEqual(parse(body ?? "{}"), { expositions: expected }))
      ? []
      : [`sends ${body?.slice(0, 300)}, expected ${JSON.stringify(bodies).slice(0, 300)}`],
  );
  if ("error" in ending) return problems;
  if (writes.length < bodies.length) problems.push(`sends ${writes.length} of ${bodies.length} requests`);
  if (!isDeepStrictEqual(ending.value, replies.at(-1)?.json))
    problems.push("resolves with another value than the last read");
  return problems;
}

function* chunk(elements: readonly JsonObject[]): Generator<JsonObject[]> {
  for (let index = 0; index < elements.length; index += mostExpositions)
    yield elements.slice(index, index + mostExpositions);
}
