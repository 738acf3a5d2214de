import { describe, expect, it } from "vitest";
import { InvalidRequestError, storeBodyLimits, type StoreClient } from "../../../src/client/store/index.ts";
import { from, range, stubClient, to } from "./stub-client.ts";

type Call = (client: StoreClient) => PromiseLike<unknown>;

// what a caller without a compiler might hand in
const odd = (value: unknown): never => value as never;

const contact = (more: object = {}) => odd({ name: "Ada", phone: "1", ...more });
const expectation = (more: object = {}) =>
  odd({
    productCategory: null,
    displayType: "FRIDGE_DRINKS",
    weekday: 6,
    protocolTime: "23:59",
    expectedFillRatio: 100,
    ...more,
  });
const exposition = (more: object = {}) =>
  odd({ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS", ...more });

const stores =
  (query: object): Call =>
  (c) =>
    c.stores.list(odd(query));
const protocols =
  (query: object): Call =>
  (c) =>
    c.protocols.list("S-1", odd({ ...range, ...query }));
const photos =
  (query: object): Call =>
  (c) =>
    c.photos.list("S", odd({ ...range, ...query }));
const across =
  (query: object): Call =>
  (c) =>
    c.fillRates.across(odd({ ...range, ...query }));
const contacts =
  (...list: unknown[]): Call =>
  (c) =>
    c.contacts.replace("S", odd(list));
const expectations =
  (more: object): Call =>
  (c) =>
    c.expectations.replace("S", [expectation(more)]);
const expositions =
  (more: object): Call =>
  (c) =>
    c.expositions.upsert("S", [exposition(more)]);
const upsert =
  (body: unknown): Call =>
  (c) =>
    c.stores.upsert("S", odd(body));

const { maxItems } = storeBodyLimits.ExpositionUpsert.expositions;
const tooMany = Array.from({ length: maxItems + 1 }, () => exposition());

/**
 * Name, the call, and the paths of its issues; none where the contract allows it. The forms of values are checked in
 * operations/issue-messages.test.ts, core/request/serialize-query.test.ts and generate/schemas.test.ts, IDs in
 * operations/requests.test.ts.
 */
const cases: [name: string, call: Call, ...paths: string[]][] = [
  // store 3 and 4: enums of queries
  ["protocols by an image's status", protocols({ status: "pending" }), "status"],
  ["fill rates by protocol across stores", across({ groupBy: "protocol" }), "groupBy"],
  [
    "fill rates of a store by region",
    (c) => c.fillRates.forStore("S", odd({ ...range, groupBy: "region" })),
    "groupBy",
  ],
  // store 2: uuids and e-mails, leniently
  ["an exposition's id in capitals", photos({ expositionId: "ABCDEFAB-CDEF-ABCD-EFAB-CDEFABCDEFAB" })],
  ["an e-mail with a space", contacts(contact({ email: "a b@c" })), "contacts.0.email"],
  ["a region that is no uuid", upsert({ regionId: "north" }), "regionId"],
  // store 2: required properties, enums of inputs
  ["no contacts at all", contacts()],
  ["a contact without name and phone", contacts(contact(), {}), "contacts.1.name", "contacts.1.phone"],
  ["a contact of a type that the contract does not list", contacts(contact({ contactType: "boss" }))],
  ["an empty store", upsert({})],
  ["a store of a type that the contract does not list", upsert({ storeType: "Moon" })],
  ["a member that the contract does not know", upsert({ colour: "red" })],
  ["an exposition status that the contract does not list", expositions({ status: "gone" })],
  ["a category that the contract does not list", expositions({ productCategories: ["DRINKS", "X"] })],
  [
    "a category that is not a string",
    expositions({ productCategories: ["DRINKS", 1] }),
    "expositions.0.productCategories.1",
  ],
  // store 2 and 8: weekday 0 to 6, ratio 0 to 100, HH:MM
  ["weekday 0", expectations({ weekday: 0 })],
  [
    "weekday 7 of opening times",
    upsert({ openingTimes: [{ weekday: 7, from: "", to: "x" }] }),
    "openingTimes.0.weekday",
  ],
  ["opening times of any text", upsert({ openingTimes: [{ weekday: 6, from: "", to: "late" }] })],
  ["a ratio of 0", expectations({ expectedFillRatio: 0 })],
  ["a ratio of 101", expectations({ expectedFillRatio: 101 }), "expectations.0.expectedFillRatio"],
  ["midnight", expectations({ protocolTime: "00:00" })],
  ["a time with seconds", expectations({ protocolTime: "09:30:00" }), "expectations.0.protocolTime"],
  ["one exposition too many", (c) => c.expositions.upsert("S", tooMany), "expositions"],
  // gap time-range.inverted
  ["a range that runs backwards", across({ from: to, to: from })],
  [
    "a range that runs backwards by its offset",
    across({ from: "2026-01-01T00:00:00Z", to: "2026-01-01T01:00:00+02:00" }),
  ],
  ["no range", (c) => c.fillRates.across(odd({})), "from", "to"],
  ["no query where a range is due", (c) => c.protocols.list("S-1", odd(undefined)), "from", "to"],
  ["no query for photos", (c) => c.photos.list("S", odd(undefined)), "from", "to"],
  ["no query for fill rates", (c) => c.fillRates.forStore("S", odd(undefined)), "from", "to"],
  // path ids
  ["an encoded dot segment", (c) => c.stores.get("%2e%2e")],
  ["two bad ids", (c) => c.protocols.get("", ".."), "externalId", "protocolId"],
  // names of the query
  ["a parameter unknown", stores({ page: 2 }), "page"],
  ["further filters", stores({ extra: { region: "north" } })],
  ["a resume token of another list", protocols({ resume: '{"cursor":"x"}' }), "resume"],
  ["several wrong things", stores({ limit: 0, page: 1, cursor: 5 }), "limit", "page", "cursor"],
];

describe("before sending, the store client", () => {
  it.each(cases.filter(([, , ...paths]) => paths.length === 0))("allows %s", async (_, call) => {
    const { client, sent } = stubClient();
    await call(client);
    expect(sent).toHaveLength(1);
  });

  it.each(cases.filter(([, , ...paths]) => paths.length > 0))("rejects %s", async (_, call, ...paths) => {
    const { client, sent } = stubClient();
    const error = await Promise.resolve(call(client)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as InvalidRequestError).issues.map(({ path }) => path)).toEqual(paths);
    expect(sent).toEqual([]);
  });
});
