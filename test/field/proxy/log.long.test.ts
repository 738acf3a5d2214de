import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LogFile } from "../../../src/field/proxy/log/log-file.ts";
import { withoutPersonalData } from "../../../src/field/proxy/log/personal.ts";
import { proxyFor, send, service } from "./upstream.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "shelfleet-log-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const TOKEN = "token-that-nobody-may-see-5511";

/** The lines of a log after some responses. */
async function logExchange(
  responses: readonly { body: unknown; status?: number; type?: string }[],
  paths: readonly string[] = ["/v1/stores"],
  api: "storeUrl" | "fleetUrl" = "storeUrl",
): Promise<{ text: string; lines: Record<string, unknown>[] }> {
  const file = join(folder(), "log.ndjson");
  const log = new LogFile(file);
  const left = [...responses];
  const url = await service((incoming, response) => {
    const { body, status = 200, type = "application/json" } = left.shift() ?? { body: {} };
    incoming.resume();
    response.writeHead(status, { "content-type": type, "set-cookie": "session=cookie-secret-1" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const { proxy, origin } = await proxyFor({ [api]: url, log });
  for (const [at] of responses.entries()) {
    const path = paths[at] ?? paths[0] ?? "";
    await send(origin + path, {
      headers: { authorization: `Bearer ${TOKEN}`, cookie: "session=cookie-secret-2" },
    });
  }
  await proxy.close();
  await log.end();
  const text = readFileSync(file, "utf8");
  return {
    text,
    lines: text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe("a log", () => {
  it("is readable by its owner only, even if the file existed before", () => {
    const file = join(folder(), "log.ndjson");
    writeFileSync(file, "", { mode: 0o644 });
    const log = new LogFile(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    return log.end();
  });

  it("has one line for each exchange, with operation, URL, status and violations", async () => {
    const { lines } = await logExchange([{ body: { items: [], nextCursor: null } }, { body: { items: [] } }]);
    expect(lines).toMatchObject([
      {
        v: 1,
        api: "store",
        service: "store",
        operation: "listStores",
        method: "GET",
        path: "/v1/stores",
        status: 200,
      },
      { violations: [expect.stringMatching(/^[0-9a-f]{8}$/)] },
    ]);
    expect(lines[0]).toMatchObject({
      body: { items: [], nextCursor: null },
      contentType: "application/json",
    });
  });

  it("contains no secret, even if the service repeats it", async () => {
    const { text } = await logExchange([
      { body: { error: { code: TOKEN, message: `no ${TOKEN}` } }, status: 401 },
      { body: { id: encodeURIComponent(TOKEN), code: Buffer.from(TOKEN).toString("base64") } },
    ]);
    for (const secret of [TOKEN, Buffer.from(TOKEN).toString("base64"), "cookie-secret"])
      expect(text).not.toContain(secret);
  });

  it("contains no query about a person and no path outside the contract", async () => {
    const { text } = await logExchange(
      [{ body: {} }, { body: {} }],
      ["/vehicle-fields?search=Anna%20Nowak&page=2", "/people/anna.nowak@example.com?q=Anna"],
      "fleetUrl",
    );
    expect(text).not.toMatch(/anna/i);
    expect(text).toContain("page=2");
  });

  it("omits bodies that are not JSON or too large, or that JavaScript would change", async () => {
    const { lines } = await logExchange([
      { body: '{"items":[{"version":9007199254740993}]}' },
      { body: '{"items":[{"version":1e400}]}' },
      { body: "<p>Anna</p>", type: "text/html" },
      { body: { items: ["x".repeat(2_000_000)] } },
      { body: { items: Array.from({ length: 60_000 }, () => ({ text: "y" })) } },
      { body: `${"[".repeat(200_000)}${"]".repeat(200_000)}` },
    ]);
    expect(lines.map(({ omitted, body }) => [omitted, typeof body])).toEqual([
      ["it has a number that JavaScript cannot hold", "undefined"],
      ["it has a number that JavaScript cannot hold", "undefined"],
      ["it is not JSON, or is nested too deep", "undefined"],
      [undefined, "object"],
      ["it is too large", "undefined"],
      ["it is not JSON, or is nested too deep", "undefined"],
    ]);
  });
});

describe("personal data in a log", () => {
  /** Only letters, so that no number in the data contains it by chance. */
  const pseudonym = (text: string): string =>
    createHash("sha256")
      .update(text)
      .digest("hex")
      .replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
  const person = {
    id: "usr-1",
    firstName: "Anna",
    lastName: "Nowak",
    email: "anna.nowak@example.com",
    age: 41,
  };
  const body = {
    data: {
      id: "3f0c7f6e-7c39-4d0b-9c5b-0d8f6f3a1b2c",
      status: "COMPLETED",
      performedAt: "2024-12-10T09:30:00Z",
      performedBy: person,
      reportedBy: person,
      assignedTo: person,
      driver: { name: "Anna", licence: 77, born: "1980-05-05" },
      driverId: "nowak-anna",
      location: { title: "Nowak home", latitude: 52.1, longitude: 21 },
      vehicles: [{ plateNumber: "WX NOWAK", vin: "VINNOWAK", type: "TRACTOR_UNIT" }],
      notes: "Anna was here",
      photoUrl: "https://example.com/nowak.jpg?signature=1",
      contact: "Anna",
      loginCode: 4177,
      pin: 7741,
      "anna.nowak@example.com": true,
    },
    items: [
      { name: "Anna", phone: "+48 600", email: "anna@example.com", hasWhatsapp: true, contactType: "store" },
    ],
  };

  it("are replaced under every property name", () => {
    const text = JSON.stringify(withoutPersonalData(body, pseudonym));
    expect(text).not.toMatch(/anna|nowak|\+48|52\.1|1980|77|41/i);
  });

  it("are replaced without changing properties, types, IDs, times and codes", () => {
    const clean = withoutPersonalData(body, pseudonym) as typeof body;
    expect(kinds(clean)).toEqual(kinds({ ...body, data: renamed(body.data) }));
    expect(clean.data).toMatchObject({
      id: body.data.id,
      status: "COMPLETED",
      performedAt: "2024-12-10T09:30:00Z",
      vehicles: [{ type: "TRACTOR_UNIT" }],
    });
    expect(clean.items[0]).toMatchObject({ hasWhatsapp: true, contactType: "store" });
    expect(clean.items[0]?.email).toMatch(/^\w+@redacted\.invalid$/);
    expect(clean.data.photoUrl).toMatch(/^https:\/\/redacted\.invalid\/\w+$/);
  });

  it("have the same replacement everywhere, so that equal strings stay equal", () => {
    const clean = withoutPersonalData({ a: "one", b: "one", c: "two", d: "" }, pseudonym) as Record<
      string,
      string
    >;
    expect([clean["a"] === clean["b"], clean["a"] === clean["c"], clean["d"]]).toEqual([true, false, ""]);
  });

  function renamed({ "anna.nowak@example.com": flag, ...data }: typeof body.data): object {
    return { ...data, [pseudonym("anna.nowak@example.com")]: flag };
  }

  function kinds(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(kinds);
    if (typeof value !== "object" || value === null) return typeof value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, kinds(one)]));
  }
});
