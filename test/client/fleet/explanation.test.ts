import { describe, expect, it } from "vitest";
import { explain, type RefusedRequest } from "../../../src/client/fleet/explanation.ts";
import { fleetError } from "../../../src/client/fleet/refusal.ts";
import { needOf, type ScopeNeed } from "../../../src/client/fleet/scopes.ts";

const bareRefusal: RefusedRequest = {
  label: "GET /things",
  need: undefined,
  isEnvelope: true,
  required: [],
  available: [],
  missing: [],
  anyOf: [],
};
const askAdministratorFor = (scopes: string): string =>
  `Scopes are fixed when a key is created: ask a company administrator for a new key that has ${scopes} as well.`;
const withoutRequired = "The server did not name the required scopes.";

function need(
  entry: Partial<ScopeNeed["entry"]>,
  possiblySufficient: ScopeNeed["possiblySufficient"] = [],
): ScopeNeed {
  const whole = { rule: "all", table: ["damages:read", "damages:write"], prose: [], ...entry } as const;
  return { sufficient: [whole.table], possiblySufficient, entry: whole };
}

describe("an explanation", () => {
  it("of a request to no documented operation contains the server's statement", () => {
    expect(explain(bareRefusal)).toBe(
      `GET /things was refused. ${withoutRequired} ${askAdministratorFor("the scopes that it needs")}`,
    );
    const stated = { required: ["a", "b", "c"], available: ["c", "d"], missing: ["a", "b"] };
    expect(explain({ ...bareRefusal, ...stated })).toBe(
      `GET /things was refused. The server requires a, b and c; the key has c and d. ${askAdministratorFor("a and b")}`,
    );
  });

  it("says that a key has no scopes", () => {
    expect(explain({ ...bareRefusal, required: ["a"], missing: ["a"] })).toContain(
      "The server requires a; the key has no scopes.",
    );
  });

  it("gives every scope of the table", () => {
    expect(explain({ ...bareRefusal, need: need({}) })).toBe(
      `GET /things was refused. The contract's scope table requires damages:read and damages:write. ${withoutRequired} ` +
        askAdministratorFor("damages:read and damages:write"),
    );
  });

  it("gives every scope of the text where the two disagree", () => {
    const disputed = need({
      rule: "disputed",
      prose: ["vehicles:read", "inspections:read"],
      gap: "scopes.get-damage",
    });
    expect(explain({ ...bareRefusal, need: disputed })).toContain(
      "requires damages:read and damages:write, and its text requires vehicles:read and inspections:read; " +
        "whether one of them suffices is not stated (gap scopes.get-damage).",
    );
  });

  it("gives every scope that may suffice for the vehicles of a field", () => {
    expect(explain({ ...bareRefusal, need: needOf("listVehicleFieldVehicles") })).toContain(
      "requires vehicle-fields:read; whether vehicles:read or vehicles:write also suffices, " +
        "as for the list of fields, is not stated (gap scopes.field-vehicles).",
    );
  });

  it("names every write scope that did not include reading, and nothing that only looks like one", () => {
    const missing = ["a:read", "b:read", "c:read", "d:read:all"];
    const available = ["a:write", "b:write", "d:write:all"];
    expect(explain({ ...bareRefusal, required: missing, missing, available })).toContain(
      "On this server, a:write and b:write does not include reading.",
    );
  });

  it("names twenty scopes of a server's list at most", () => {
    const required = Array.from({ length: 30 }, (_, at) => `s-${at}`);
    const text = explain({ ...bareRefusal, required, missing: required });
    expect(text).toContain("s-18 and s-19; the key");
    expect(text).not.toContain("s-20");
  });
});

it("a 403 for a request to no documented operation is a ScopeError that names its route", async () => {
  const details = { status: 403, method: "GET", route: "/things", url: "https://x.example/things" };
  const sent = {
    headers: new Headers(),
    attempts: 1,
    body: { errors: [{ details: { required: ["a", "b"] } }] },
  };
  const error = fleetError(undefined, { ...details, ...sent });
  const explanation: unknown = expect.stringContaining(
    "GET /things was refused. The server requires a and b",
  );
  expect(error).toMatchObject({ missing: ["a", "b"], anyOf: [], explanation });
});
