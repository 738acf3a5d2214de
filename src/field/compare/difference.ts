import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";
import { type Outline, outlineOf } from "./outline.ts";

/** The parts in which two responses can differ. */
export type Aspect =
  | "status"
  | "media type"
  | "properties"
  | "kinds"
  | "values"
  | "rows"
  | "order"
  | "paging";

/** One difference between the service and the mock. */
export interface Difference {
  readonly operation: string;
  readonly aspect: Aspect;
  /** A JSON pointer with `*` for the index of an array; empty for the response as a whole. */
  readonly place: string;
  readonly service: string;
  readonly mock: string;
  /** The first request with this difference. */
  readonly request: string;
}

/** A response of one side. */
export interface ComparedResponse {
  readonly status: number;
  readonly contentType: string;
  /** The parsed body; `undefined` if the body is empty or not JSON. */
  readonly json: unknown;
}

type Found = Pick<Difference, "aspect" | "place" | "service" | "mock">;

/** Returns the difference of two texts; none if they are equal. */
function differ(aspect: Aspect, place: string, service: string, mock: string): Found[] {
  return service === mock ? [] : [{ aspect, place, service, mock }];
}

/** Returns the differences of two responses to the same request. */
export function differences(
  service: ComparedResponse,
  mock: ComparedResponse,
  ignored: ReadonlySet<string>,
): Found[] {
  const unlike = [
    ...differ("status", "", String(service.status), String(mock.status)),
    ...differ("media type", "", mediaTypeOf(service), mediaTypeOf(mock)),
  ];
  // the bodies of other responses are not comparable
  if (unlike.length > 0) return unlike.slice(0, 1);
  return [
    ...outlineDifferences(outlineOf(service.json), outlineOf(mock.json), ignored),
    ...codeDifferences(service, mock),
    ...rowDifferences(service.json, mock.json),
    ...pagingDifferences(service.json, mock.json),
  ];
}

function mediaTypeOf({ contentType }: ComparedResponse): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() || "none";
}

function outlineDifferences(service: Outline, mock: Outline, ignored: ReadonlySet<string>): Found[] {
  // rows are compared separately; a cursor is compared as part of the paging
  const isCompared = (place: string): boolean =>
    !ignored.has(place.slice(place.lastIndexOf("/") + 1)) &&
    !CURSOR.test(place) &&
    !place.endsWith("/*") &&
    !isBelowMissing(place, service, mock);
  const places = [...new Set([...service.keys(), ...mock.keys()])].filter(isCompared);
  return places.flatMap((place) => {
    const aspect = service.has(place) && mock.has(place) ? "kinds" : "properties";
    return differ(aspect, place, kindsText(service.get(place)), kindsText(mock.get(place)));
  });
}

const CURSOR = /^\/(?:nextCursor|cursor)$/;

/** The properties of an object that only one side has are not listed separately. */
function isBelowMissing(place: string, service: Outline, mock: Outline): boolean {
  const parent = place.slice(0, place.lastIndexOf("/"));
  return place !== "" && (!service.has(parent) || !mock.has(parent));
}

function kindsText(kinds: ReadonlySet<string> | undefined): string {
  return kinds === undefined ? "nothing" : [...kinds].toSorted().join(" or ");
}

/** The codes that the contract lists. gap errors.undocumented-bodies */
function codeDifferences(service: ComparedResponse, mock: ComparedResponse): Found[] {
  const isListed = service.status >= 401 || isObject(objectOf(service.json)["error"]);
  if (service.status < 400 || service.status >= 500 || !isListed) return [];
  const [a, b] = [codeOf(service.json), codeOf(mock.json)];
  return a === undefined || b === undefined ? [] : differ("values", "/error/code", a, b);
}

function codeOf(json: unknown): string | undefined {
  const body = objectOf(json);
  const [first] = objectsIn(body["errors"]);
  const { code } = first ?? objectOf(body["error"]);
  return typeof code === "string" ? code : undefined;
}

const KEYS = [
  "externalId",
  "protocolId",
  "photoId",
  "contactId",
  "expectationId",
  "expositionId",
  "vehicleId",
  "id",
  "createdAt",
];

/** Returns the rows of a list: `items`, `data`, or the first array. */
function rowsOf(json: unknown): { place: string; rows: JsonObject[] } | undefined {
  if (Array.isArray(json)) return { place: "", rows: objectsIn(json) };
  const [name, rows] = Object.entries(objectOf(json)).find(([, value]) => Array.isArray(value)) ?? [];
  return name === undefined || name === "errors" ? undefined : { place: `/${name}`, rows: objectsIn(rows) };
}

function rowDifferences(service: unknown, mock: unknown): Found[] {
  const [a, b] = [rowsOf(service), rowsOf(mock)];
  if (a === undefined || b === undefined) return [];
  const key = KEYS.find((name) => isKey(name, a.rows) && isKey(name, b.rows));
  const [ids, others] = [a, b].map(({ rows }) =>
    rows.map((row, index) => (key === undefined ? index : row[key])),
  );
  if (ids === undefined || others === undefined || String(ids) === String(others)) return [];
  const { place } = a;
  if (sortedText(ids) === sortedText(others))
    return [{ aspect: "order", place, service: startOf(ids), mock: startOf(others) }];
  const missing = ids.filter((id) => !others.includes(id)).length;
  const more = others.filter((id) => !ids.includes(id)).length;
  const mockText = `${others.length} rows, ${missing} missing, ${more} others`;
  return differ("rows", place, `${ids.length} rows`, mockText);
}

function sortedText(ids: readonly unknown[]): string {
  return ids.map(String).toSorted().join("\n");
}

function startOf(ids: readonly unknown[]): string {
  return `${ids.slice(0, 3).map(String).join(", ")}, …`;
}

function isKey(name: string, rows: readonly JsonObject[]): boolean {
  return (
    rows.every((row) => Object.hasOwn(row, name)) &&
    new Set(rows.map((row) => row[name])).size > rows.length / 2
  );
}

/** Returns the form of a cursor and the numbers of `meta.pagination`. */
function pagingDifferences(service: unknown, mock: unknown): Found[] {
  const mockSide = paginationOf(mock);
  return [
    ...differ("paging", "/nextCursor", cursorForm(service), cursorForm(mock)),
    ...Object.entries(paginationOf(service)).flatMap(([name, value]) => {
      const other = mockSide[name];
      const place = `/meta/pagination/${name}`;
      return other === undefined || other === value
        ? []
        : differ("paging", place, JSON.stringify(value), JSON.stringify(other));
    }),
  ];
}

function paginationOf(json: unknown): JsonObject {
  return objectOf(objectOf(objectOf(json)["meta"])["pagination"]);
}

/** Returns the cursor of a page. In a photo list its name is `cursor`. */
function cursorForm(json: unknown): string {
  const body = objectOf(json);
  const cursor = body["nextCursor"] ?? body["cursor"];
  if (typeof cursor !== "string") return cursor === undefined ? "none" : "null";
  const last = rowsOf(json)?.rows.at(-1);
  return Object.values(last ?? {}).includes(cursor) ? "a property of the last row" : "another string";
}
