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

/** Returns the differences of two responses to the same request. */
export function differences(
  service: ComparedResponse,
  mock: ComparedResponse,
  ignored: ReadonlySet<string>,
): Found[] {
  if (service.status !== mock.status)
    return [{ aspect: "status", place: "", service: String(service.status), mock: String(mock.status) }];
  const types = [service, mock].map(
    ({ contentType }) => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "",
  );
  const [serviceSide = "", mockSide = ""] = types;
  if (serviceSide !== mockSide)
    return [{ aspect: "media type", place: "", service: serviceSide || "none", mock: mockSide || "none" }];
  return [
    ...outlineDifferences(outlineOf(service.json), outlineOf(mock.json), ignored),
    ...codeDifferences(service, mock),
    ...rowDifferences(service.json, mock.json),
    ...pagingDifferences(service.json, mock.json),
  ];
}

function outlineDifferences(service: Outline, mock: Outline, ignored: ReadonlySet<string>): Found[] {
  const found: Found[] = [];
  const places = [...new Set([...service.keys(), ...mock.keys()])];
  for (const place of places) {
    const name = place.slice(place.lastIndexOf("/") + 1);
    // rows are compared separately; a cursor is compared as part of the paging
    if (
      ignored.has(name) ||
      CURSOR.test(place) ||
      place.endsWith("/*") ||
      isBelowMissing(place, service, mock)
    )
      continue;
    const [one, other] = [kindsText(service.get(place)), kindsText(mock.get(place))];
    if (one === other) continue;
    const aspect = one === "nothing" || other === "nothing" ? "properties" : "kinds";
    found.push({ aspect, place, service: one, mock: other });
  }
  return found;
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
  const [one, other] = [codeOf(service.json), codeOf(mock.json)];
  if (one === other || one === undefined || other === undefined) return [];
  return [{ aspect: "values", place: "/error/code", service: one, mock: other }];
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
  const [one, other] = [rowsOf(service), rowsOf(mock)];
  if (one === undefined || other === undefined) return [];
  const key = KEYS.find((name) => isKey(name, one.rows) && isKey(name, other.rows));
  const [ids, others] = [one, other].map(({ rows }) =>
    rows.map((row, at) => (key === undefined ? at : row[key])),
  );
  if (ids === undefined || others === undefined || String(ids) === String(others)) return [];
  const { place } = one;
  if (sortedText(ids) === sortedText(others))
    return [{ aspect: "order", place, service: startOf(ids), mock: startOf(others) }];
  const missing = ids.filter((id) => !others.includes(id)).length;
  const more = others.filter((id) => !ids.includes(id)).length;
  return [
    {
      aspect: "rows",
      place,
      service: `${ids.length} rows`,
      mock: `${others.length} rows, ${missing} missing, ${more} others`,
    },
  ];
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
  const found: Found[] = [];
  const [one, other] = [cursorForm(service), cursorForm(mock)];
  if (one !== other) found.push({ aspect: "paging", place: "/nextCursor", service: one, mock: other });
  const [serviceSide, mockSide] = [service, mock].map((json) =>
    objectOf(objectOf(objectOf(json)["meta"])["pagination"]),
  );
  for (const [name, value] of Object.entries(serviceSide ?? {})) {
    const place = `/meta/pagination/${name}`;
    if (mockSide?.[name] !== undefined && mockSide[name] !== value)
      found.push({
        aspect: "paging",
        place,
        service: JSON.stringify(value),
        mock: JSON.stringify(mockSide[name]),
      });
  }
  return found;
}

/** Returns the cursor of a page. In a photo list its name is `cursor`. */
function cursorForm(json: unknown): string {
  const body = objectOf(json);
  const cursor = body["nextCursor"] ?? body["cursor"];
  if (typeof cursor !== "string") return cursor === undefined ? "none" : "null";
  const last = rowsOf(json)?.rows.at(-1);
  return Object.values(last ?? {}).includes(cursor) ? "a property of the last row" : "another string";
}
