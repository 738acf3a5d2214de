// Finding 10: large integers and bytes that are not UTF-8 were changed silently; a 304 was reported as a redirect.
import { describe, expect, it } from "vitest";
import { clientOf, rejection } from "./attack.ts";

const encoder = new TextEncoder();

function get(body: string | Uint8Array<ArrayBuffer>, validate: "envelope" | "full"): PromiseLike<unknown> {
  const store =
    '"storeId":"11111111-1111-1111-1111-111111111111","externalId":"S","name":"","location":null,"regionId":null,' +
    '"storeType":null,"openingTimes":[],"protocolScheduleId":"11111111-1111-1111-1111-111111111111",' +
    '"protocolCronEnabled":true,"onboardingComplete":true,"loginCode":"1"';
  const bytes = typeof body === "string" ? encoder.encode(`{${store},"more":${body}}`) : body;
  return clientOf({ validate, fetch: async () => new Response(bytes) }).stores.get("S");
}

describe('validate: "full"', () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "[1,12345678901234567890]",
    '{"a":{"b":9007199254740992}}',
    '{"a":9007199254740993,"b":"c"}',
    '["\\\\",9007199254740993]',
    '[" 9007199254740993 ",9007199254740993]',
    "[9007199254740991, 9007199254740993 ]",
  ])("reports the integer in %s as an UnexpectedResponseError", async (body) => {
    expect(await rejection(get(body, "full"))).toMatchObject({
      name: "UnexpectedResponseError",
      message: expect.stringContaining("with an integer that JavaScript cannot hold exactly: ") as string,
    });
    expect(await get(body, "envelope")).toHaveProperty("storeId");
  });

  it.each([
    "9007199254740991",
    "-9007199254740991",
    '"9007199254740993"',
    '"\\"9007199254740993"',
    '"\\\\"',
    '[" 9007199254740993 ","\\",9007199254740993,\\""]',
    '["\\\\"," 9007199254740993 "]',
    "1.2345678901234567890",
    '{"9007199254740993":1}',
    "12345678901234567e-5",
  ])("accepts %s, which has no unsafe integer", async (body) => {
    expect(await get(body, "full")).toHaveProperty("storeId");
  });

  it("quotes the first 40 digits of a long integer", async () => {
    const digits = "1234567890".repeat(10);
    expect(await rejection(get(digits, "full"))).toMatchObject({
      message: `GET /v1/stores/{externalId}: 200 with an integer that JavaScript cannot hold exactly: ${digits.slice(0, 40)}`,
    });
  });

  it("checks the pages of lists in the same way", async () => {
    const fetch = async (): Promise<Response> =>
      new Response('{"items":[],"nextCursor":null,"x":9007199254740993}');
    const error = await rejection(clientOf({ validate: "full", fetch }).stores.list());
    expect(error).toMatchObject({ name: "UnexpectedResponseError" });
  });
});

it.each(["envelope", "full"] as const)(
  "bytes that are not UTF-8 are an UnexpectedResponseError with validate: %j",
  async (validate) => {
    const bytes = new Uint8Array([...encoder.encode('{"storeId":"'), 0xff, 0xfe, ...encoder.encode('"}')]);
    expect(await rejection(get(bytes, validate))).toMatchObject({
      message: "GET /v1/stores/{externalId}: 200 with a body that is not UTF-8",
    });
  },
);

it("a 304 is reported as Not Modified", async () => {
  const client = clientOf({ fetch: async () => new Response(null, { status: 304 }) });
  expect(await rejection(client.stores.get("S"))).toMatchObject({
    message: "GET /v1/stores/{externalId}: 304 Not Modified, although the request was not conditional",
  });
});
