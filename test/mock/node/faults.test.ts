import { describe, expect, it } from "vitest";
import type { FaultKind, FaultOptions } from "../../../src/mock/index.ts";
import { type End, RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

const target = "/v1/stores/S-1";

/** The end of a connection after a fault, and which part of the head and of the body it has received. */
const rows: [kind: FaultKind, options: FaultOptions, end: End, hasHead: boolean, part: number][] = [
  ["reset", {}, "reset", false, 0],
  ["close", {}, "end", false, 0],
  ["truncate", {}, "end", true, 0.5],
  ["truncate", { at: "head" }, "end", true, 0],
  ["stall", {}, "open", false, 0],
  ["stall", { at: "body" }, "open", true, 0.5],
  ["slow", { bytesPerSecond: 100_000 }, "open", true, 1],
];

describe("a fault on a real connection", () => {
  it.each(rows)("%s %j", async (kind, options, end, hasHead, part) => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault(kind, options).times(1);
    const whole = Buffer.byteLength(JSON.stringify(ref.state.store.stores.get("S-1")));
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    const isComplete = () => connection.body.length >= Math.floor(whole * part);
    // the journal has the request when the fault begins
    const isBegun = () => ref.journal.of("getStore").length > 0 && (!hasHead || isComplete());
    await expect
      .poll(() => (end === "open" ? isBegun() : connection.end === end), { timeout: 60_000 })
      .toBe(true);
    expect([connection.end, connection.received !== ""]).toEqual([end, hasHead]);
    expect(connection.received.includes(`content-length: ${whole}\r\n`)).toBe(hasHead);
    expect(hasHead ? connection.body.length : 0).toBe(Math.floor(whole * part));
  });

  it.each(["truncate", "stall"] as const)("%s sends nothing of a response without a body", async (kind) => {
    const { ref, port } = await serveReference({ readings: { "fleet.delete-response": "no-content" } });
    ref.on("deleteVehicle").fault(kind, { at: "after" }).times(1);
    const id = [...ref.state.fleet.vehicles.keys()][0] ?? "";
    const path = `/api/third-party/v1/vehicles/${id}`;
    const connection = new RawConnection(port).send(
      wire("DELETE", path, { authorization: `Bearer ${ref.key}` }),
    );
    await expect.poll(() => ref.state.fleet.vehicles.has(id), { timeout: 60_000 }).toBe(false);
    await expect.poll(() => connection.end, { timeout: 60_000 }).toBe(kind === "truncate" ? "end" : "open");
    expect(connection.received).toBe("");
  });

  it("applies after a delay, does not affect earlier responses of a pipeline, nor other connections", async () => {
    const { ref, port, headers } = await serveReference();
    const other = new RawConnection(port);
    ref.on("getStore").delay(50).times(1);
    ref.on("listStores").fault("reset").times(1);
    const connection = new RawConnection(port);
    connection.send(wire("GET", target, headers) + wire("GET", "/v1/stores", headers));
    expect(await connection.over()).toBe("reset");
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(JSON.parse(Buffer.from(connection.body, "latin1").toString())).toMatchObject({
      externalId: "S-1",
    });
    other.send(wire("GET", target, headers));
    await other.until(({ received }) => received.endsWith("}"));
    expect(other.received).toMatch(/^HTTP\/1\.1 200 /);
  });
});
