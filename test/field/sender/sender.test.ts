import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Budget, systemTiming } from "../../../src/field/sender/budget.ts";
import { describeConnectionFailure } from "../../../src/field/sender/connection.ts";
import { Sender } from "../../../src/field/sender/sender.ts";
import { redactorOf } from "../../../src/wire/redaction.ts";

const TARGET = { api: "fleet", as: "fleet", base: "https://fleet.example/v1/", secret: "secret-1" } as const;
const SECRET = `fleet_${"a".repeat(64)}`;

/** A sender to a service that gives the responses of a list in turn, the last one again and again. */
function senderTo(...responses: (() => Response | Promise<Response>)[]) {
  const times: number[] = [];
  const { signal } = new AbortController();
  const budget = new Budget(10, Infinity, systemTiming, signal);
  const sender = new Sender({
    fetch: async () => {
      times.push(Date.now());
      return (responses[times.length - 1] ?? responses.at(-1) ?? Response.error)();
    },
    budget,
    timing: systemTiming,
    redactor: redactorOf([SECRET]),
    signal,
  });
  return { sender, budget, times };
}

const ok = (): Response => Response.json({ data: [] });

function failing(status: number, headers: Record<string, string> = {}): () => Response {
  return () => Response.json({ errors: [] }, { status, headers });
}

const reset = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));

/** A body that begins and never ends. */
const stalled = (): Response =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) }));

const cut = (status: number) => (): Response =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }), {
    status,
    headers: { "content-length": "12" },
  });

const endless = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) }));

const GET = { method: "GET", path: "/vehicles" } as const;
const POST = { method: "POST", path: "/vehicles", body: {} } as const;

describe("a sender", () => {
  it.each([
    ["a GET after a reset", GET, [reset, ok], 2, 200],
    ["a GET after 503", GET, [failing(503), ok], 2, 200],
    ["a GET at most twice", GET, [failing(502)], 3, 502],
    ["no POST after 503", POST, [failing(503), ok], 1, 503],
    ["no GET after 404", GET, [failing(404), ok], 1, 404],
  ] as const)("repeats %s", async (_, spec, responses, count, status) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { sender, budget, times } = senderTo(...responses);
    const sent = sender.send(TARGET, spec);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await sent).status).toBe(status);
    expect([times.length, budget.total]).toEqual([count, count]);
  });

  it("waits for Retry-After, and reports the 429 that it repeats", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { sender, times } = senderTo(failing(429, { "retry-after": "7" }), ok);
    const limited = vi.fn<() => void>();
    const sent = sender.send(TARGET, GET, limited);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await sent).status).toBe(200);
    expect(limited).toHaveBeenCalledWith(expect.objectContaining({ status: 429, text: '{"errors":[]}' }));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(7_000);
  });

  it("ends the run at a Retry-After of more than a minute", async () => {
    const { sender, budget, times } = senderTo(failing(503, { "retry-after": "3600" }));
    expect((await sender.send(TARGET, GET)).status).toBe(503);
    expect([times.length, budget.ended, budget.retryAfter]).toEqual([1, "retry-after", 3_600_000]);
    await expect(sender.send(TARGET, GET)).rejects.toMatchObject({ name: "RunEnded" });
  });

  it.each([
    ["stalls", stalled, 30_000],
    ["is cut off", cut(200), 0],
    ["is too large", endless, 0],
  ])("has no response if the body %s", async (_, respond, ms) => {
    if (ms > 0) vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const sent = senderTo(respond).sender.send(TARGET, POST);
    sent.catch(() => undefined);
    if (ms > 0) await vi.advanceTimersByTimeAsync(ms);
    await expect(sent).rejects.toMatchObject({ name: "NoEvidence", message: /POST \/vehicles: no response/ });
  });

  it("does not take an error whose body was cut off for one without a body", async () => {
    const { sender } = senderTo(cut(400));
    expect(await sender.send(TARGET, POST)).toMatchObject({ status: 400, text: "", isWhole: false });
    const { sender: other } = senderTo(() => new Response("", { status: 400 }));
    expect(await other.send(TARGET, POST)).toMatchObject({ status: 400, text: "", isWhole: true });
  });
});

describe("the cause of a request without a response", () => {
  const coded = (code: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });

  it.each([
    ["ENOTFOUND", coded("ENOTFOUND"), "its host name cannot be resolved (ENOTFOUND)"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", coded("DEPTH_ZERO_SELF_SIGNED_CERT"), /TLS certificate is not accepted/],
    ["HPE_INVALID_CONSTANT", coded("HPE_INVALID_CONSTANT"), /is not valid HTTP/],
    ["ESTRANGE", coded("ESTRANGE"), "no response (ESTRANGE)"],
    [
      "a message",
      new TypeError("fetch failed", { cause: new Error("unexpected redirect") }),
      "unexpected redirect",
    ],
    ["no cause", new TypeError("fetch failed"), "fetch failed"],
    ["something else", "nothing", "no response"],
  ])("is named for %s", (_, error, expected) => {
    expect(describeConnectionFailure(error)).toMatch(expected);
  });

  it("is a port that fetch forbids", async () => {
    const error: unknown = await fetch("http://127.0.0.1:6000/").catch((thrown: unknown) => thrown);
    expect(describeConnectionFailure(error)).toContain("fetch sends nothing to its port");
  });

  it("does not show a secret", async () => {
    const failed = (): Promise<Response> => Promise.reject(new TypeError(`invalid header Bearer ${SECRET}`));
    const { sender } = senderTo(failed);
    const error: unknown = await sender.send(TARGET, POST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "NoEvidence", reason: "invalid header Bearer [redacted]" });
  });
});
