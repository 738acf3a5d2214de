/** Serves a model over HTTP on a port of the loopback interface, with noise. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Model, type ModelRequest, type ModelResponse, textResponse } from "./exchange.ts";
import { createNoise, type RequestNoise, type Noise, type NoiseSource } from "./noise.ts";

export interface ServedModel {
  /** The base URL for a client. */
  readonly baseUrl: string;
  /** The number of times that each kind of noise happened. */
  readonly counts: Readonly<Counts>;
  close(): Promise<void>;
}

interface Counts {
  requests: number;
  unavailable: number;
  resetsBefore: number;
  resetsAfter: number;
  otherWrites: number;
}

interface Serving {
  readonly model: Pick<Model<unknown>, "handle">;
  readonly noise: Noise;
  readonly source: NoiseSource;
  readonly counts: Counts;
}

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  // a request without an encoding gives buffers
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "GET",
    target: incoming.url ?? "/",
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}

/** A model that throws has a defect: the client and the reader of its log see where. */
function handleOrFail(model: Serving["model"], request: ModelRequest): ModelResponse {
  try {
    return model.handle(request);
  } catch (error) {
    return textResponse(500, error instanceof Error ? String(error.stack) : "The model failed");
  }
}

function handle(
  { model, noise, source, counts }: Serving,
  request: ModelRequest,
  requestNoise: RequestNoise,
): ModelResponse {
  if (requestNoise.otherWriter) {
    counts.otherWrites += 1;
    noise.otherWriter?.write(source.random);
  }
  if (!requestNoise.unavailable) return source.applyTo(handleOrFail(model, request));
  counts.unavailable += 1;
  const seconds = noise.unavailable?.retryAfter;
  const refusal = textResponse(503, "Service Unavailable");
  return seconds === undefined
    ? refusal
    : { ...refusal, headers: { ...refusal.headers, "retry-after": String(seconds) } };
}

function write(outgoing: ServerResponse, response: ModelResponse, isCompressed: boolean): void {
  const body = isCompressed ? gzipSync(response.body) : Buffer.from(response.body);
  const hasBody = response.status !== 204;
  outgoing.writeHead(response.status, {
    ...response.headers,
    ...(hasBody && { "content-length": body.length }),
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  outgoing.end(hasBody ? body : undefined);
}

async function respond(serving: Serving, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { counts, noise, source } = serving;
  const request = await readRequest(incoming);
  counts.requests += 1;
  const requestNoise = source.next();
  if (requestNoise.reset === "before") {
    counts.resetsBefore += 1;
    incoming.socket.resetAndDestroy();
    return;
  }
  const response = handle(serving, request, requestNoise);
  if (requestNoise.delay > 0) await new Promise((resolve) => setTimeout(resolve, requestNoise.delay));
  if (requestNoise.reset === "after") {
    counts.resetsAfter += 1;
    incoming.socket.resetAndDestroy();
    return;
  }
  const accepts = incoming.headers["accept-encoding"] ?? "";
  write(outgoing, response, noise.gzip === true && accepts.includes("gzip") && response.body !== "");
}

/** Starts a server for a model. */
export async function serve(
  model: Pick<Model<unknown>, "handle" | "basePath">,
  noise: Noise = {},
): Promise<ServedModel> {
  const counts: Counts = { requests: 0, unavailable: 0, resetsBefore: 0, resetsAfter: 0, otherWrites: 0 };
  const serving = { model, noise, source: createNoise(noise), counts };
  const server = createServer((incoming, outgoing) => {
    // a client that went away while its request was read needs no response
    respond(serving, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // listening on a port, a server has an address object
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${model.basePath}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
