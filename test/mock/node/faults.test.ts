import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RawConnection, wire } from "./raw-connection.ts";
import { serveReference } from "./served.ts";

const target = "/v1/stores/S-1";

/** The declared length and the received bytes. */
function lengths({ received, body }: RawConnection): { declared: number; received: number } {
  return { declared: Number(/content-length: (\d+)/.exec(received)?.[1]), received: body.length };
}

describe("a fault on a real connection", () => {
  it("reset sends RST without a response", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("reset").times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    expect(await connection.over()).toBe("reset");
    expect(connection.received).toBe("");
  });

  it("close ends the connection without a response", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("close").times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    expect(await connection.over()).toBe("end");
    expect(connection.received).toBe("");
  });

  it("truncate sends the length of the whole body and half of the body, and ends the connection", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("truncate").times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    expect(await connection.over()).toBe("end");
    const whole = Buffer.byteLength(JSON.stringify(ref.state.store.stores.get("S-1")));
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(lengths(connection)).toEqual({ declared: whole, received: whole >> 1 });
  });

  it("truncate at the head sends the length of the whole body and no body", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("truncate", { at: "head" }).times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    expect(await connection.over()).toBe("end");
    const { declared, received } = lengths(connection);
    expect(declared).toBeGreaterThan(100);
    expect(received).toBe(0);
  });

  it("truncate of a response without a body ends the connection without a response", async () => {
    const { ref, port } = await serveReference({ readings: { "fleet.delete-response": "no-content" } });
    ref.on("deleteVehicle").fault("truncate", { at: "after" }).times(1);
    const id = [...ref.state.fleet.vehicles.keys()][0];
    const headers = { authorization: `Bearer ${ref.keys[0]?.key}` };
    const connection = new RawConnection(port).send(
      wire("DELETE", `/api/third-party/v1/vehicles/${id}`, headers),
    );
    expect(await connection.over()).toBe("end");
    expect(connection.received).toBe("");
  });

  it("malformed sends a complete response that is not JSON", async () => {
    const { ref, storeUrl, headers } = await serveReference();
    ref.on("getStore").fault("malformed").times(1);
    const response = await fetch(storeUrl + target, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const text = await response.text();
    expect(text).toHaveLength(Number(response.headers.get("content-length")));
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it("html sends a complete page", async () => {
    const { ref, storeUrl, headers } = await serveReference();
    ref.on("getStore").fault("html").times(1);
    const response = await fetch(storeUrl + target, { headers });
    expect(response.headers.get("content-type")).toBe("text/html");
    expect(await response.text()).toMatch(/^<!doctype html>.*<\/html>$/);
  });

  it("stall sends nothing and keeps the connection open", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("stall").times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    await pause(150);
    expect(connection).toMatchObject({ received: "", end: "open" });
  });

  it("stall at the body sends the head and half of the body", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").fault("stall", { at: "body" }).times(1);
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    await connection.until(({ body, received }) => received.includes("\r\n\r\n") && body.length > 0);
    await pause(100);
    const { declared, received } = lengths(connection);
    expect(received).toBe(declared >> 1);
    expect(connection.end).toBe("open");
  });

  it.each(["reset", "close", "truncate", "stall"] as const)(
    "%s applies before or after a write is executed",
    async (kind) => {
      const { ref, port, headers } = await serveReference();
      for (const at of ["before", "after"] as const) {
        ref.on("putStore").fault(kind, { at }).times(1);
        const body = JSON.stringify({ name: at });
        const request = wire("PUT", target, { ...headers, "content-length": body.length }, body);
        const connection = new RawConnection(port).send(request);
        if (kind === "stall") await pause(100);
        else await connection.over();
        const written = ref.state.store.stores.get("S-1")?.name === at;
        expect(written).toBe(at === "after");
      }
    },
  );

  it("applies after the delay of the same operation", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").delay(100).times(1);
    ref.on("getStore").fault("reset").times(1);
    const begun = performance.now();
    const connection = new RawConnection(port).send(wire("GET", target, headers));
    expect(await connection.over()).toBe("reset");
    expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
  });

  it("does not affect the responses to earlier requests of a pipeline", async () => {
    const { ref, port, headers } = await serveReference();
    ref.on("getStore").delay(100).times(1);
    ref.on("listStores").fault("reset").times(1);
    const connection = new RawConnection(port);
    connection.send(wire("GET", target, headers) + wire("GET", "/v1/stores", headers));
    expect(await connection.over()).toBe("reset");
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(JSON.parse(Buffer.from(connection.body, "latin1").toString())).toMatchObject({
      externalId: "S-1",
    });
  });

  it("does not affect other connections", async () => {
    const { ref, port, headers, storeUrl } = await serveReference();
    const other = new RawConnection(port).send(wire("GET", target, headers));
    await other.until(({ received }) => received.endsWith("}"));
    ref.on("getStore").fault("reset").times(1);
    await new RawConnection(port).send(wire("GET", target, headers)).over();
    expect((await fetch(storeUrl + target, { headers })).status).toBe(200);
    other.received = "";
    other.send(wire("GET", target, headers));
    await other.until(({ received }) => received.endsWith("}"));
    expect(other.received).toMatch(/^HTTP\/1\.1 200 /);
  });
});
