import { request } from "node:http";
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { type Document, type Endpoint, endpoints, resolve } from "../../specs/generate/document.ts";
import { type ControlledServer, serveControlled } from "../../src/mock/control/controlled-server.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";

const file = new URL("../../specs/control.openapi.yaml", import.meta.url);

/** The document of the control API. */
export const document = parse(readFileSync(file, "utf8")) as Document;

/** The operations of the document. */
export const operations: readonly Endpoint[] = endpoints(document);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "control");

export const TOKEN = "control-token-of-the-tests";

/** A response of the control API; the body is `undefined` without one. */
export interface ControlResponse {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The parts of a request in addition to method and path. */
export interface RequestParts {
  readonly body?: unknown;
  /** A body that is sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends no control token. */
  readonly anonymous?: boolean;
}

/** A served reference server with its control API. Every response is compared with the document. */
export class ControlClient {
  readonly ref: ReferenceServer;
  readonly served: ControlledServer;
  /** `addToken 201`: the operation and status of every response. */
  readonly met = new Set<string>();

  constructor(ref: ReferenceServer, served: ControlledServer) {
    this.ref = ref;
    this.served = served;
  }

  /** Sends a request to a path such as `/journal?last=1`. */
  async send(method: string, path: string, parts: RequestParts = {}): Promise<ControlResponse> {
    const response = await exchange(`${this.served.controlUrl}${path}`, method, parts);
    this.#compare(method, path.split("?", 1)[0] ?? "", response);
    return response;
  }

  get(path: string): Promise<ControlResponse> {
    return this.send("GET", path);
  }

  post(path: string, body: unknown = {}): Promise<ControlResponse> {
    return this.send("POST", path, { body });
  }

  put(path: string, body: unknown): Promise<ControlResponse> {
    return this.send("PUT", path, { body });
  }

  delete(path: string): Promise<ControlResponse> {
    return this.send("DELETE", path);
  }

  /** Sends a request to the store API; returns its status. */
  async store(path: string, token = this.ref.token, init: RequestInit = {}): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${this.served.storeUrl}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  }

  #compare(method: string, path: string, { status, body, text, headers }: ControlResponse): void {
    const operation = operations.find((one) => one.method === method && formOf(one.path).test(path));
    if (operation === undefined) return;
    const place = `${operation.id} ${status}`;
    const response = operation.operation.responses[status];
    if (response === undefined) throw new Error(`${place} is not in the document: ${text}`);
    const [[type, { schema }] = ["", {}]] = Object.entries(resolve(document, response).content ?? {});
    if (String(headers["content-type"] ?? "") !== type) throw new Error(`${place} has another content type`);
    if (schema === undefined && text !== "") throw new Error(`${place} has a body: ${text}`);
    if (schema !== undefined) {
      const validate = validatorOf(schema);
      if (!validate(body)) throw new Error(`${place}: ${ajv.errorsText(validate.errors)}: ${text}`);
    }
    this.met.add(place);
  }
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/** Returns the validator of a schema of the document. */
export function validatorOf(schema: { $ref?: string }): ValidateFunction {
  const { $ref } = schema;
  return ajv.compile($ref === undefined ? schema : { $ref: `control${$ref}` });
}

/** Starts a reference server with its control API for the current test. */
export async function startControlled(options: ReferenceServerOptions = {}): Promise<ControlClient> {
  const ref = createReferenceServer(options);
  const served = await serveControlled(ref, {
    port: 0,
    cors: true,
    allowHosts: [],
    controlToken: TOKEN,
    onRequest: () => {},
  });
  onTestFinished(() => served.close());
  return new ControlClient(ref, served);
}

function exchange(
  url: string,
  method: string,
  { body, text, headers = {}, anonymous = false }: RequestParts,
): Promise<ControlResponse> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((done, fail) => {
    const outgoing = request(url, {
      method,
      agent: false,
      headers: {
        ...(!anonymous && { authorization: `Bearer ${TOKEN}` }),
        ...(sent !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(sent)),
        }),
        ...headers,
      },
    });
    outgoing.on("error", fail);
    outgoing.on("response", (response) => {
      let received = "";
      response.setEncoding("utf8").on("data", (part: string) => (received += part));
      response.on("end", () => {
        outgoing.destroy(); // a request may declare a body that it never sends
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: received,
          body: bodyOf(received, response.headers["content-type"]),
        });
      });
    });
    if (headers["content-length"] === undefined || sent !== undefined) outgoing.end(sent);
    else outgoing.flushHeaders();
  });
}

function bodyOf(text: string, type: string | undefined): unknown {
  if (text === "") return undefined;
  return type === "application/json" ? JSON.parse(text) : text;
}
