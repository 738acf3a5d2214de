import type { JsonObject } from "../wire/json.ts";
import { redactorOf } from "../wire/secret.ts";
import { CheckError, type Client, NoDataError, type Query, type Reply, ServiceError } from "./client.ts";

export interface Finding {
  /** `open`: no data shows it. `failed`: it could not be checked. */
  readonly result: "ok" | "difference" | "open" | "failed";
  readonly text: string;
  /** What the user can try after a failure. */
  readonly advice?: string | undefined;
}

/** A row of the table of checks. */
export interface Check {
  readonly api: "store" | "fleet";
  /** The section of the contract. */
  readonly section: string;
  readonly name: string;
  readonly run: (service: Service) => Promise<void> | void;
}

/** An API and what to read of it. */
export interface Target {
  readonly api: "store" | "fleet";
  readonly base: string;
  readonly credential: "token" | "key";
  readonly secret: string;
  readonly externalId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** After so many requests in a row without a response, the next ones will not have one. */
const maxFailures = 3;

/** One API of a live service: sends its requests, and keeps what the checks have seen. */
export class Service {
  readonly target: Target;
  readonly range: { from: string; readonly to: string };
  /** The first responses, by the template of their path. */
  readonly replies = new Map<string, Reply>();
  /** The parameters of paths, and the IDs of the fleet API by the path of their list. */
  readonly ids = new Map<string, string>();
  /** The readings that were seen, by gap. */
  readonly readings = new Map<string, string>();
  /** The options that the client needs, as code. */
  readonly options = new Map<string, string>();
  /** Whether lists of the fleet API have pages. */
  readonly paging = new Map<string, "paged" | "whole">();
  /** Removes the credential from a text of the service. */
  readonly redact: (text: string) => string;
  findings: Finding[] = [];
  /** Headers of each request besides the credential. */
  headers: Readonly<Record<string, string>> = { accept: "application/json" };
  /** Whether the service has sent a list as the contract describes it. */
  isSeen = false;
  readonly #client: Client;
  readonly #onRequest: (request: string) => void;
  #isAccepted = false;
  #failures = 0;

  constructor(target: Target, client: Client, onRequest: (request: string) => void) {
    this.target = target;
    this.#client = client;
    this.#onRequest = onRequest;
    this.redact = redactorOf([target.secret]).redact;
    const { from, to = new Date().toISOString(), externalId } = target;
    this.range = { from: from ?? daysBefore(to, 30), to };
    if (externalId !== undefined) this.ids.set("externalId", externalId);
  }

  /** Runs a check, which adds findings; returns whether further checks can be made. */
  async run(check: Check["run"]): Promise<boolean> {
    this.findings = [];
    try {
      await check(this);
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      const result = error instanceof NoDataError ? "open" : "failed";
      this.findings.push({ result, text: error.message, advice: error.advice });
      return !(error instanceof ServiceError) && this.replies.size > 0; // without a first response there is no second
    }
    return true;
  }

  ok(text: string): void {
    this.findings.push({ result: "ok", text });
  }

  /** Adds what differs from the contract; returns whether anything does. */
  differ(...texts: readonly string[]): boolean {
    this.findings.push(...texts.map((text) => ({ result: "difference" as const, text })));
    return texts.length > 0;
  }

  /** Adds a reading, and keeps it for the readings file. */
  read(gap: string, reading: string, text: string): void {
    this.readings.set(gap, reading);
    this.ok(text);
  }

  /** Returns the body of the first response to a path if it was successful. */
  body(path: string): unknown {
    const reply = this.replies.get(path);
    return reply?.status === 200 ? reply.body : undefined;
  }

  /** Returns the value of a parameter of a path; `id` is one of the list whose path comes before it. */
  idOf(template: string, parameter: string): string | undefined {
    return this.ids.get(parameter === "id" ? template.slice(0, template.indexOf("/{id}")) : parameter);
  }

  /** Sends a GET. @throws {CheckError} for what is not a response of the API */
  async get(template: string, query: Query = {}, isAnonymous = false): Promise<Reply> {
    const { base, secret } = this.target;
    const encode = (_: string, name: string): string => encodeURIComponent(this.idOf(template, name) ?? "");
    const url = new URL(base + template.replace(/\{(\w+)\}/g, encode));
    const range = /\/(?:protocols|photos|fill-rates?)$/.test(template) && this.range;
    const all: Query = { ...range, ...query };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
    const names = [...url.searchParams.keys()].join("&"); // their values are data
    const request = `GET ${template}${names && `?${names}`}`;
    this.#onRequest(request);
    try {
      const credential = isAnonymous ? {} : { authorization: `Bearer ${secret}` };
      const reply = await this.#client.get(url, request, { ...this.headers, ...credential });
      this.#refuse(reply, url, isAnonymous);
      this.#failures = 0;
      return reply;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures < maxFailures || !(error instanceof CheckError)) throw error;
      const words = `${error.message}; ${maxFailures} requests in a row had no usable response`;
      throw new ServiceError(words, error.advice);
    }
  }

  /** Rejects what the API does not send, and the end of a credential. */
  #refuse(reply: Reply, url: URL, isAnonymous: boolean): void {
    const { status, form, request } = reply;
    const { credential } = this.target;
    if (status === 401 && this.#isAccepted && !isAnonymous)
      throw new ServiceError(`401: the ${credential} has expired or was revoked during the run (${request})`);
    this.#isAccepted ||= status === 200;
    if (form === "an HTML page")
      throw new CheckError(
        `an HTML page with status ${status} (${request})`,
        "a website, a login or a proxy answers at this URL: check the URL, the network and the VPN",
      );
    if (status >= 500) throw new CheckError(`status ${status} (${request})`, "try later");
    if (status >= 300 && status < 400) this.#refuseRedirect(reply, url);
  }

  /** Says where a redirect leads: to another base URL, which is printed, or to another page, whose path may contain data. */
  #refuseRedirect({ status, headers, request }: Reply, url: URL): never {
    const { api, base } = this.target;
    const location = URL.parse(headers.get("location") ?? "", url);
    const path = url.pathname.slice(new URL(base).pathname.replace(/\/$/, "").length);
    const isBase = location?.pathname.endsWith(path) === true;
    const prefix = location?.pathname.slice(0, -path.length) ?? "";
    const target = location === null ? "no URL" : this.redact(location.origin + (isBase ? prefix : ""));
    const option = api === "store" ? "SHELFLEET_STORE_URL" : "SHELFLEET_FLEET_URL";
    const advice = isBase
      ? `set ${option}=${target}, if you trust this host with the credential`
      : "a login page or a proxy answers at this URL: check the URL, the network and the VPN";
    throw new CheckError(
      `redirect ${status} to ${target}${isBase ? "" : ", another page"}, which is not followed (${request})`,
      advice,
    );
  }
}

export function daysBefore(time: string, days: number): string {
  return new Date(Date.parse(time) - days * 86_400_000).toISOString();
}

/** The names of IDs; an entry may also have the ID of the entity that it belongs to. */
const idNames = ["photoId", "storeId", "id", "protocolId", "vehicleId"];

/** Returns the ID of an entry, or its JSON if it has none. */
export function identify(entry: JsonObject): string {
  const name = idNames.find((known) => typeof entry[known] === "string");
  return name === undefined ? JSON.stringify(entry) : String(entry[name]);
}
