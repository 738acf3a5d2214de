import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { objectOf } from "../../../src/wire/json.ts";
import { recordOf } from "../../../src/field/proxy/log/record.ts";

const pseudonym = (text: string): string => createHash("sha256").update(text).digest("hex");

it.each(["S-1", "S 1", "a b", "Jan Kowalski", "anna@example.com", "YWJj+/==", "c".repeat(300)])(
  "a record has the cursor of a request as in the body that it is from (%#)",
  (nextCursor) => {
    const { url, body } = recordOf(
      {
        api: "store",
        service: "store",
        operation: "listStores",
        baseUrl: "https://stores.test",
        method: "GET",
        path: "/v1/stores",
        query: new URLSearchParams({ cursor: nextCursor }).toString(),
        status: 200,
        contentType: "application/json",
        body: { kind: "text", text: JSON.stringify({ items: [], nextCursor }) },
        milliseconds: 1,
        violations: [],
      },
      new Date(0),
      pseudonym,
    );
    expect(new URL(url).searchParams.get("cursor")).toBe(objectOf(body).nextCursor);
  },
);
