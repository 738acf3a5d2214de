import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";

import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { type StoreList, ALL_TIME, listIn, storePath, storesWithPhotos } from "./data.ts";
import { findUniqueProperty, keysOf } from "./identity.ts";

export const IDS = ["photoId", "id", "imageId"] as const;
const IMAGE_ONLY = ["uploaded", "pending", "annotating", "annotated", "evaluating"] as const;
const PROTOCOL_ONLY = ["processing", "awaiting_processing", "awaiting_submission"] as const;
export const SHARED = ["completed", "failed"] as const;

/** Sends one request for each status. */
export class StatusReader {
  readonly #tools: ExperimentTools;
  readonly #path: string;
  readonly #property: string;
  readonly exchanges: Exchange[] = [];

  constructor(tools: ExperimentTools, { path }: StoreList, property: string) {
    this.#tools = tools;
    this.#path = path;
    this.#property = property;
  }

  /** Returns the keys of the photos that a status finds. */
  async find(status: string | readonly string[]): Promise<Exchange & { keys: string[] }> {
    const exchange = await storeOf(this.#tools).get(this.#path, { ...ALL_TIME, limit: "500", status });
    this.exchanges.push(exchange);
    return { ...exchange, keys: keysOf(listIn(exchange)?.rows ?? [], this.#property) };
  }
}

/** A photo with its own status and the status of its protocol. */
export interface KnownPhoto {
  readonly key: string;
  readonly image: unknown;
  readonly protocol: unknown;
}

const RULES = {
  either: (value: string, { image, protocol }: KnownPhoto) => image === value || protocol === value,
  both: (value: string, { image, protocol }: KnownPhoto) => image === value && protocol === value,
  protocol: (value: string, { protocol }: KnownPhoto) => protocol === value,
  image: (value: string, { image }: KnownPhoto) => image === value,
};

type Rule = keyof typeof RULES;

/**
 * The meaning of values under a reading: the rule for a value of both enums, and the values of one enum that it
 * accepts.
 */
interface Meaning {
  readonly rule: Rule;
  readonly image: boolean;
  readonly protocol: boolean;
}

/** The observed part of a meaning. */
interface StatusObserved {
  /** The rules that agree with the found photos. */
  readonly rules?: readonly Rule[];
  /** Whether a value of only the image enum was accepted. */
  readonly image?: boolean;
  /** Whether a value of only the protocol enum was accepted. */
  readonly protocol?: boolean;
}

function agreesWith({ rule, ...accepted }: Meaning): (observed: StatusObserved) => boolean {
  return ({ rules = [rule], image = accepted.image, protocol = accepted.protocol }) =>
    rules.includes(rule) && image === accepted.image && protocol === accepted.protocol;
}

const MIXED_PHOTOS = "photos whose image and protocol have different statuses, and show them";

export const photoStatus = experiment<"photos.status", StatusObserved>({
  gap: "photos.status",
  consent: "read",
  cost: 2,
  after: ["photos.page-shape"],
  needs: MIXED_PHOTOS,
  observe: async function* observe(tools) {
    let isRefusalKnown = false;
    for await (const list of storesWithPhotos(tools, 1)) {
      const property = findUniqueProperty(list.rows, IDS);
      if (property === undefined) continue;
      const reader = new StatusReader(tools, list, property);
      const photos = (await knownPhotos(tools, list, property)) ?? [];
      yield* observeRule(reader, photos);
      if (!isRefusalKnown) yield* observeAcceptance(reader);
      isRefusalKnown = true;
      yield* compareRules(reader, photos);
      // the photos of other stores also lack their status
      if (list.rows.every(({ status }) => status === undefined)) break;
    }
    throw new Missing(MIXED_PHOTOS);
  },
  readings: {
    either: agreesWith({ rule: "either", image: true, protocol: true }),
    both: agreesWith({ rule: "both", image: true, protocol: true }),
    protocol: agreesWith({ rule: "protocol", image: true, protocol: true }),
    image: agreesWith({ rule: "image", image: true, protocol: true }),
    "protocol-only": agreesWith({ rule: "protocol", image: false, protocol: true }),
    "image-only": agreesWith({ rule: "image", image: true, protocol: false }),
  },
});

const ALL_RULES = Object.keys(RULES) as Rule[]; // its own keys

/** Returns the keys of the photos that a rule finds. */
export function predictKeys(photos: readonly KnownPhoto[], rule: Rule, value: string): string[] {
  return photos.filter((photo) => RULES[rule](value, photo)).map(({ key }) => key);
}

/** Returns the number of rules that find different photos for a value. */
function countOutcomes(photos: readonly KnownPhoto[], value: string): number {
  return new Set(ALL_RULES.map((rule) => String(predictKeys(photos, rule, value)))).size;
}

/** Returns the rules that agree with the photos of a value; `undefined` if no rule or every rule agrees. */
async function rulesOf(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
  value: string,
): Promise<Rule[] | undefined> {
  const found = await reader.find(value);
  const agreeing = ALL_RULES.filter(
    (rule) => isOk(found) && isSame(predictKeys(photos, rule, value), found.keys),
  );
  // a status may have changed between two requests
  return agreeing.length === 0 || agreeing.length === ALL_RULES.length ? undefined : agreeing;
}

/** Sends one request with the value that distinguishes most rules. */
async function* observeRule(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
): AsyncGenerator<ExperimentResult<StatusObserved>, void> {
  const [value] = SHARED.toSorted((a, b) => countOutcomes(photos, b) - countOutcomes(photos, a));
  if (value === undefined || countOutcomes(photos, value) < 2) return;
  const rules = await rulesOf(reader, photos, value);
  if (rules !== undefined) yield tentativeResult({ rules }, ruleName(value, rules), ...reader.exchanges);
}

function ruleName(value: string, rules: readonly Rule[]): string {
  return `The status "${value}" finds the photos that the rule ${rules.join(" or ")} finds.`;
}

/** Finds the values of one enum that the service accepts. */
async function* observeAcceptance(
  reader: StatusReader,
): AsyncGenerator<ExperimentResult<StatusObserved>, void> {
  const image = await reader.find("uploaded");
  yield acceptance({ image: isOk(image) }, image);
  const protocol = await reader.find("processing");
  yield acceptance({ protocol: isOk(protocol) }, protocol);
}

function acceptance(observed: StatusObserved, exchange: Exchange): ExperimentResult<StatusObserved> {
  const name = observed.image === undefined ? "protocol" : "image";
  const verb = isOk(exchange) ? "takes" : "refuses";
  return conclusiveResult(
    observed,
    `The photo list ${verb} the statuses that only the ${name} has.`,
    exchange,
  );
}

/** Returns the photos of a store with both statuses; `undefined` if a response does not show them. */
export async function knownPhotos(
  tools: ExperimentTools,
  list: StoreList,
  property: string,
): Promise<KnownPhoto[] | undefined> {
  const path = storePath(list.externalId, "protocols");
  const protocols = rowsOf(await storeOf(tools).get(path, { ...ALL_TIME, limit: "100" }));
  const images: ReadonlySet<unknown> = new Set([...IMAGE_ONLY, ...SHARED]);
  const statuses: ReadonlySet<unknown> = new Set([...PROTOCOL_ONLY, ...SHARED]);
  if (!list.rows.every(({ status }) => images.has(status))) return undefined;
  if (!protocols.every(({ status }) => statuses.has(status))) return undefined;
  const byId = new Map(protocols.map((row) => [row.protocolId ?? row.id, row.status]));
  const photos = list.rows.map((row) => ({
    key: String(row[property]),
    image: row.status,
    protocol: byId.get(row.protocolId) ?? row.protocolStatus,
  }));
  return photos.every(({ protocol }) => protocol !== undefined) ? photos : undefined;
}

/** Compares the photos that the shared values find with the photos that each rule would find. */
async function* compareRules(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
): AsyncGenerator<ExperimentResult<StatusObserved>, void> {
  if (SHARED.every((value) => countOutcomes(photos, value) < 2)) return;
  // a status of only one enum shows whether the properties have the expected meaning
  if ((await confirmMeaning(reader, photos)) !== true) return;
  for (const value of SHARED) {
    if (countOutcomes(photos, value) < 2) continue;
    const rules = await rulesOf(reader, photos, value);
    if (rules !== undefined) yield conclusiveResult({ rules }, ruleName(value, rules), ...reader.exchanges);
  }
}

/** Whether the service finds photos by the statuses that they show; `undefined` if it does not. */
async function confirmMeaning(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
): Promise<boolean | undefined> {
  let isConfirmed = false;
  for (const value of ["uploaded", "processing"]) {
    const found = await reader.find(value);
    if (!isOk(found)) continue;
    const keys = predictKeys(photos, "either", value);
    if (!isSame(keys, found.keys)) return undefined;
    if (keys.length > 0) isConfirmed = true;
  }
  return isConfirmed;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && String(one.toSorted()) === String(other.toSorted());
}
