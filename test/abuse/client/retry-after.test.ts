// Finding 9: "after 5" was read as a date in 2001, and a 503 with it as a rejection, so that a POST was sent again.
import { expect, it } from "vitest";
import { FleetClient } from "../../../src/index.ts";
import { rejection } from "./attack.ts";

it.each([
  "after 5",
  "soon",
  "5 seconds",
  "1.5",
  "-1",
  "0x10",
  "1e3",
  "2001-05-01",
  "May 5",
  "",
  "NaN",
  "5;",
  "１",
])("a write is not sent again after a 503 with the invalid Retry-After %j", async (value) => {
  let sent = 0;
  const client = new FleetClient({
    baseUrl: "https://fleet.example.com/api/third-party/v1",
    key: `acme_${"0".repeat(64)}`,
    retry: { maxDelay: 1 },
    fetch: async () => {
      sent += 1;
      const headers = new Headers();
      try {
        headers.set("retry-after", value);
      } catch {
        // this value cannot be sent in a header
      }
      return new Response("{}", { status: 503, headers });
    },
  });
  expect(await rejection(client.vehicles.create({}))).toMatchObject({ status: 503, attempts: 1 });
  expect(sent).toBe(1);
});
