import { Random } from "../../src/mock/server/random.ts";

type Json = Record<string, unknown>;

function listOf<Row>(count: number, make: (index: number) => Row): Row[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns the data of a service, which is not that of the reference server. */
function makeData(random: Random) {
  const time = (): string => new Date(Date.now() - random.integer(1, 20 * 86_400_000)).toISOString();
  const stores = listOf(random.integer(5, 60), (index) => ({
    storeId: random.uuid(),
    externalId: `shop/${String(index).padStart(3, "0")}`,
    name: `Shop ${random.integer(1, 999)}`,
    location: random.pick([null, "Łódź"]),
    regionId: null,
    storeType: random.pick(["Kiosk", "Ulica", null]),
    openingTimes: [{ weekday: random.integer(0, 6), from: "8", to: "late" }],
    protocolScheduleId: random.uuid(),
    protocolCronEnabled: true,
    onboardingComplete: false,
    loginCode: "1",
  }));
  const contact = { contactType: "store", name: "Ewa", phone: "1", email: null, hasWhatsapp: true };
  const contacts = listOf(3, () => ({ ...contact, contactId: random.uuid(), createdAt: time() }));
  const expectation = {
    productCategory: "DRINKS",
    displayType: "FRIDGE_DRINKS",
    weekday: 1,
    protocolTime: "08:00",
  };
  const expectations = listOf(3, () => ({
    ...expectation,
    expectationId: random.uuid(),
    expectedFillRatio: random.integer(0, 100),
    updatedAt: time(),
  }));
  const exposition = { label: "Left", friendlyTitle: null, productCategories: ["DRINKS"], status: "active" };
  const expositions = listOf(2, () => ({
    ...exposition,
    expositionId: random.uuid(),
    expositionType: "FRIDGE_DRINKS",
  }));
  const protocols = listOf(random.integer(3, 8), (index) => ({ protocolId: `P${index}`, createdAt: time() }));
  const photos = listOf(random.integer(3, 8), (index) => ({ photoId: `F${index}`, protocolId: "P0" }));
  const rows = (low: number, high: number): Json[] =>
    listOf(random.integer(low, high), (index) => ({ id: random.uuid(), label: `Row ${index}` }));
  const fields = rows(2, 9).map((row) => ({
    ...row,
    description: "",
    inputType: "SELECT",
    isRequired: true,
    instructionImageUrl: null,
    hasStatusRule: false,
    groupIds: [],
    groups: [],
    options: [{ id: "1", label: "Good", value: "1", status: "OK" }],
    createdAt: time(),
    updatedAt: time(),
  }));
  const fleet: Record<string, Json[]> = {
    vehicles: rows(4, 40),
    "vehicle-groups": rows(2, 5),
    "vehicle-fields": fields,
    inspections: rows(55, 90),
    "inspection-templates": [],
    damages: rows(4, 40),
    "driver-assignments": rows(4, 40),
  };
  return { stores, contacts, expectations, expositions, protocols, photos, fleet };
}

const ok = (body: unknown, type = "application/json; charset=utf-8"): Response =>
  new Response(JSON.stringify(body), { headers: { "content-type": type } });

const storeError = (status: number, code: string): Response =>
  Response.json({ error: { code, message: "No." } }, { status });

const fleetError = (status: number, code: string): Response =>
  Response.json({ errors: [{ code, message: "No." }] }, { status });

/** What doctor finds in a service that differs, without the numbers of entries. */
export const differences: readonly string[] = [
  "unknown ID: the body of 404: error is missing",
  "credential: without a key the status is 200 instead of 401",
  "GET /v1/stores: items[].loginCode is missing",
  "GET /v1/stores/{externalId}: onboardingComplete is string, not boolean",
  "GET /v1/stores/{externalId}/contacts: the content type is not application/json",
  "GET /v1/stores/{externalId}/contacts: items[].contactType has a value that is not documented",
  "GET /v1/stores/{externalId}/expectations: items[].protocolTime has another form",
  "GET /v1/stores/{externalId}/expositions: storeId is missing",
  "GET /v1/stores/{externalId}/protocols/{protocolId}: images is missing",
  "GET /vehicle-fields: meta.version has a value that is not documented",
  "pages of /v1/stores: page 2 is page 1 again",
  "pages of /v1/stores: limit=101 has status 200 instead of 400",
  "pages of /vehicles: totalCount does not fit the entries",
  "pages of /inspections: hasNextPage does not fit totalPages",
  "pages of /damages: page 2 is page 1 again",
];

/** Returns the fetch of a service that is as documented, or differs in fifteen ways. */
export function createService(
  seed: number,
  isDifferent: boolean,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const random = new Random(seed, "service");
  const data = makeData(random);
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const isFleet = url.hostname === "fleet.localhost";
    const hasCredential = request.headers.get("authorization")?.startsWith("Bearer ") === true;
    if (!hasCredential && !(isFleet && isDifferent))
      return isFleet ? fleetError(401, "UNAUTHORIZED") : storeError(401, "unauthorized");
    return isFleet ? respondFleet(url, data, isDifferent) : respondStore(url, data, isDifferent);
  };
}

type Data = ReturnType<typeof makeData>;

function respondStore({ pathname, searchParams }: URL, data: Data, isDifferent: boolean): Response {
  const [, , first, id, list, item] = pathname.split("/").map(decodeURIComponent);
  const limit = Number(searchParams.get("limit") ?? 100);
  const isRefused = limit > (list === "photos" ? 500 : 100) && !(isDifferent && id === undefined);
  if (isRefused) return storeError(400, "validation_failed");
  const cursor = isDifferent && id === undefined ? null : searchParams.get("cursor");
  const paged = <Row extends Json>(rows: readonly Row[], name: keyof Row & string) => {
    const start = cursor === null ? 0 : rows.findIndex((row) => row[name] === cursor) + 1;
    const items = rows.slice(start, start + limit);
    return { items, nextCursor: start + limit < rows.length ? items.at(-1)?.[name] : null };
  };
  if (first === "fill-rate") return ok({ groups: [{ rate: 1 }] });
  if (id === undefined) {
    const { items, nextCursor } = paged(data.stores, "externalId");
    const { loginCode: _, ...incomplete } = items[0] as (typeof items)[number];
    return ok({ items: isDifferent ? [incomplete, ...items.slice(1)] : items, nextCursor });
  }
  const store = data.stores.find(({ externalId }) => externalId === id);
  if (store === undefined)
    return isDifferent ? Response.json({ message: "No." }, { status: 404 }) : storeError(404, "not_found");
  if (list === undefined) return ok(isDifferent ? { ...store, onboardingComplete: "false" } : store);
  if (item !== undefined && list === "protocols")
    return ok({
      ...data.protocols.find(({ protocolId }) => protocolId === item),
      ...(!isDifferent && { images: [] }),
    });
  const { externalId, storeId } = store;
  const { contacts, expectations, expositions, protocols, photos } = data;
  switch (item === undefined ? list : "fill-rates") {
    case "contacts":
      return isDifferent
        ? ok({ externalId, items: contacts.map((row) => ({ ...row, contactType: "owner" })) }, "text/plain")
        : ok({ externalId, items: contacts });
    case "expectations":
      return ok({
        externalId,
        items: expectations.map((row) => ({ ...row, ...(isDifferent && { protocolTime: "8:00" }) })),
      });
    case "expositions":
      return ok({ externalId, ...(!isDifferent && { storeId }), items: expositions });
    case "protocols":
      return ok({ externalId, ...paged(protocols, "protocolId") });
    case "photos":
      return ok({ externalId, ...paged(photos, "photoId") });
    default:
      return ok({ groups: [{ rate: 1 }] });
  }
}

function respondFleet({ pathname, searchParams }: URL, data: Data, isDifferent: boolean): Response {
  const [, , , , resource = "", id, list] = pathname.split("/").map(decodeURIComponent);
  const rows = data.fleet[resource] ?? [];
  const number = isDifferent && resource === "damages" ? 1 : Number(searchParams.get("page") ?? 1);
  const limit = Number(searchParams.get("limit") ?? 50);
  const version = isDifferent && pathname.endsWith("/vehicle-fields") ? "v2" : "v1";
  const row = rows.find((one) => one["id"] === id);
  if (id !== undefined && list === undefined) {
    if (row === undefined) return fleetError(404, "NOT_FOUND");
    return ok({ data: resource === "inspections" ? toInspection(row) : row, meta: { version } });
  }
  const shown = list === undefined ? rows : rows.slice(0, 2).map(({ id: vehicleId }) => ({ vehicleId }));
  const totalCount = shown.length + (isDifferent && resource === "vehicles" ? 7 : 0);
  const totalPages = Math.ceil(totalCount / limit);
  const hasNextPage = number < totalPages && !(isDifferent && resource === "inspections");
  const pagination = {
    currentPage: number,
    totalPages,
    totalCount,
    hasNextPage,
    hasPreviousPage: number > 1,
  };
  const field = list === undefined ? {} : { field: { id }, filters: { search: null, status: null } };
  const meta = { version, pagination, filters: { search: null }, ...field };
  return ok({ data: shown.slice((number - 1) * limit, number * limit), meta });
}

function toInspection({ id }: Json): Json {
  const empty = { template: {}, performedBy: {}, vehicles: [], location: {}, responses: [], damages: [] };
  return { id, templateId: "1", status: "COMPLETED", performedAt: "today", notes: "", ...empty };
}
