import { describe, expect, test } from "vitest";
import { toFailure } from "../../../src/client/node/failure.ts";

describe("toFailure", () => {
  test("joins the failures of several addresses into one message", () => {
    const attempts = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:1`));
    const error = Object.assign(new AggregateError(attempts, ""), { code: "ECONNREFUSED" });
    expect(toFailure(error)).toMatchObject({
      message: "connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1",
      code: "ECONNREFUSED",
    });
  });

  test("keeps only the code of the innermost cause", () => {
    const cause = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED", cert: {} });
    const error = Object.assign(new Error("Proxy Connection failed", { cause }), {
      code: "UND_ERR_PRX_CONN",
    });
    const failure = toFailure(error);
    expect(failure.message).toBe("Proxy Connection failed: certificate has expired (CERT_HAS_EXPIRED)");
    expect(Object.entries(failure)).toEqual([["code", "CERT_HAS_EXPIRED"]]);
    expect(failure.cause).toBeUndefined();
  });

  test("stops at a cycle of causes", () => {
    const error: Error = new Error("around");
    error.cause = error;
    expect(toFailure(error).message).toBe("around");
  });

  test("accepts any value", () => {
    for (const thrown of [undefined, null, "text", { code: 7 }, new Error("")])
      expect(toFailure(thrown).message).toBe("the request failed");
  });
});
