import { execFile } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Evidence, toMarkdown } from "../../../src/field/probe/index.ts";
import { fetchOf, optionsFor, probe } from "./run.ts";
import { type Subject, modelSubject, referenceSubject } from "./subjects.ts";

const run = promisify(execFile);

/** The parts of a request that a service reads. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly authorization: string | null;
  readonly version: string | null;
  /** The media type of a body; `curl` has a default. */
  readonly contentType: string | null;
  readonly body: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return body;
}

/** Starts a server that keeps what is sent to it. */
async function startRecorder() {
  const received: Sent[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = "", url = "", headers } = request;
      const version = headers["x-service-api-version"];
      received.push({
        method,
        target: url,
        authorization: headers.authorization ?? null,
        version: typeof version === "string" ? version : null,
        contentType: headers["content-type"] ?? null,
        body,
      });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Probes a subject, and returns the report with the requests by their numbers. */
async function probeAt(subject: Subject, scratchStore?: string) {
  const requests: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search, href } = new URL(request.url);
    const { method, headers } = request;
    requests.push({
      method,
      target: `/${new URL(href).hostname}${pathname}${search}`,
      authorization: headers.get("authorization"),
      version: headers.get("x-service-api-version"),
      contentType: headers.get("content-type"),
      body: await request.clone().text(),
    });
    return fetchOf(subject)(request);
  };
  const options = { ...optionsFor(subject, "write", scratchStore), maxRequests: 300 };
  return { requests, report: await probe({ ...options, fetch }), options };
}

/** Returns the commands of a report by the numbers of their requests. */
function commandsIn(text: string): Map<number, string> {
  const blocks = text.matchAll(/^\[(\d+)\] .*\n.*\n {4}(.*curl .*)$/gm);
  return new Map([...blocks].map(([, n, command = ""]) => [Number(n), command]));
}

/** Returns the texts of a sent body that the report shows as variables. */
function variablesIn({ body: shown, expressions = [] }: Evidence, sent: string): Record<string, string> {
  if (shown === undefined || expressions.length === 0 || sent.length > 10_000) return {};
  const variables: Record<string, string> = {};
  const compare = (one: unknown, original: unknown): void => {
    if (typeof one === "string" && expressions.includes(one))
      variables[one.slice(1)] = JSON.stringify(original).slice(1, -1);
    if (typeof one !== "object" || one === null || typeof original !== "object" || original === null) return;
    const values: Readonly<Record<string, unknown>> = { ...original };
    for (const [name, value] of Object.entries(one)) compare(value, values[name]);
  };
  compare(JSON.parse(shown), JSON.parse(sent));
  return variables;
}

describe("the curl lines of a report", () => {
  it.each([
    ["the model, with a store that it creates", modelSubject, undefined],
    ["the reference server, with an existing store", referenceSubject, "S-1"],
  ])("send what the run sent to %s", async (_name, make, scratchStore) => {
    const { origin, received } = await startRecorder();
    const { requests, report, options } = await probeAt(make(5, 12), scratchStore);
    // each service has its own path on the recorder
    const services = Object.fromEntries(
      Object.entries(report.services).map(([as, url]) => {
        const { hostname, pathname } = new URL(url);
        return [as, `${origin}/${hostname}${pathname.replace(/\/$/, "")}`];
      }),
    );
    const commands = commandsIn(toMarkdown({ ...report, services }));
    const { token = "", key = "", sandboxKey = "", narrowKeys = [] } = options;
    const env = {
      PATH: process.env["PATH"],
      SHELFLEET_TOKEN: token,
      SHELFLEET_KEY: key,
      SHELFLEET_SANDBOX_KEY: sandboxKey,
      SHELFLEET_NARROW_KEYS: narrowKeys.join(","),
    };
    const differing: unknown[] = [];
    for (const [n, command] of commands) {
      received.length = 0;
      const original = requests[n - 1];
      const evidence = report.evidence.find((one) => one.n === n);
      const variables = evidence === undefined ? {} : variablesIn(evidence, original?.body ?? "");
      await run("sh", ["-c", command.replace("curl ", "curl -s ")], { env: { ...env, ...variables } });
      const [sent] = received;
      const expected = { ...original, contentType: original?.body === "" ? null : original?.contentType };
      if (JSON.stringify(sent) !== JSON.stringify(expected))
        differing.push([command, sent, expected].map((one) => JSON.stringify(one)?.slice(0, 500)));
    }
    expect(commands.size).toBeGreaterThan(60);
    expect([...commands.values()].some((command) => command.includes("-X POST"))).toBe(true);
    expect(differing).toEqual([]);
  });

  it("contain no text of the service", async () => {
    const subject = referenceSubject(5, 12, { "fleet.patch": "partial", "stores.omitted-fields": "keep" });
    const texts = new Set<string>();
    const fetch = async (request: Request): Promise<Response> => {
      const response = await fetchOf(subject)(request);
      const text = await response.clone().text();
      if (request.method === "GET" && /driver-assignments|S-1$/.test(request.url))
        for (const [, found = ""] of text.matchAll(
          /"(?:firstName|lastName|email|location|loginCode)":"([^"]+)"/g,
        ))
          if (!found.startsWith("shelfleet-probe")) texts.add(found);
      return response;
    };
    const options = { ...optionsFor(subject, "write", "S-1"), maxRequests: 300 };
    const { evidence } = await probe({ ...options, fetch });
    const bodies = evidence.map(({ body = "" }) => body).join("\n");
    expect(texts.size).toBeGreaterThan(5);
    expect([...texts].filter((text) => bodies.includes(text))).toEqual([]);
    expect(bodies).toContain("$SANDBOX_FIRST_NAME");
  });
});
