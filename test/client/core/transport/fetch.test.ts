import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fetchTransport, type FetchInit } from "../../../../src/client/core/transport/fetch.ts";
import type { TransportResponse } from "../../../../src/client/core/transport/transport.ts";

const request = {
  method: "GET",
  url: "https://x.example/",
  headers: {},
  signal: new AbortController().signal,
};

interface Streamed {
  response: TransportResponse;
  /** Whether the body was cancelled. */
  isCancelled: () => boolean;
}

/** Sends a request whose response has a body of these chunks. */
async function stream(...chunks: Uint8Array[]): Promise<Streamed> {
  let isCancelled = false;
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  const response = await fetchTransport(async () => new Response(body))(request);
  return { response, isCancelled: () => isCancelled };
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("the transport over fetch", () => {
  it.each([
    ["one chunk", [bytes(1, 2, 3)]],
    ["several chunks", [bytes(1), bytes(), bytes(2, 3)]],
    ["no chunk", []],
  ])("reads a body of %s up to its limit", async (_, chunks) => {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    for (const limit of [size === 0 ? 1 : size, size + 1]) {
      const { response, isCancelled } = await stream(...chunks);
      const body = await response.read(limit);
      expect(body).toEqual({ bytes: bytes(1, 2, 3).subarray(0, size), complete: true });
      expect(isCancelled()).toBe(false);
    }
  });

  it.each([1, 2, 3, 4])("returns the first %i bytes of a longer body and cancels the rest", async (limit) => {
    const { response, isCancelled } = await stream(bytes(1, 2), bytes(3), bytes(4, 5, 6));
    expect(await response.read(limit)).toEqual({
      bytes: bytes(1, 2, 3, 4).subarray(0, limit),
      complete: false,
    });
    expect(isCancelled()).toBe(true);
  });

  it("returns at most 1 MiB of a body over its limit", async () => {
    const chunk = new Uint8Array(700_000).fill(7);
    const { response } = await stream(chunk, chunk, chunk);
    const { bytes: read, complete } = await response.read(2_000_000);
    expect([read.length, complete]).toEqual([1024 * 1024, false]);
    expect(read.every((byte) => byte === 7)).toBe(true);
  });

  it("a limit of 0 cancels the body without reading it", async () => {
    const { response, isCancelled } = await stream(bytes(1));
    expect(await response.read(0)).toEqual({ bytes: bytes(), complete: false });
    expect(isCancelled()).toBe(true);
  });

  it("a response without a body is complete and empty", async () => {
    const response = await fetchTransport(async () => new Response(null, { status: 204 }))(request);
    for (const limit of [0, 5])
      expect(await response.read(limit)).toEqual({ bytes: bytes(), complete: true });
  });

  it("gives the fetch of Deno a body that Deno does not send again", async () => {
    const bodies: unknown[] = [];
    const fetch = async (_: string, init: FetchInit): Promise<Response> => {
      bodies.push(init.body);
      return new Response();
    };
    vi.stubGlobal("fetch", fetch);
    vi.stubGlobal("Deno", {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const post = { ...request, method: "POST", body: "é" };
    for (const given of [undefined, fetch]) await fetchTransport(given)(post);
    expect(bodies).toEqual([expect.any(Blob), "é"]);
    expect(await (bodies[0] as Blob).text()).toBe("é");
  });

  it("gives fetch a body only if the request has one", async () => {
    const inits: FetchInit[] = [];
    const send = fetchTransport(async (_, init) => {
      inits.push(init);
      return new Response();
    });
    await send(request);
    await send({ ...request, method: "PUT", body: "" });
    expect(inits.map((init) => "body" in init)).toEqual([false, true]);
  });
});
