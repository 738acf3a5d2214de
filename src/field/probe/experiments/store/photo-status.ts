import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type Control, type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { type StoreList, getInRange, photosIn, storesWithPhotos } from "./data.ts";
import { PHOTO_IDS, findUniqueProperty, keysOf } from "./identity.ts";

const IMAGE_ONLY = ["uploaded", "pending", "annotating", "annotated", "evaluating"] as const;
export const PROTOCOL_ONLY = ["processing", "awaiting_processing", "awaiting_submission"] as const;
export const SHARED = ["completed", "failed"] as const;

/** Sends one request for each status. */
export class StatusReader {
  readonly #tools: ExperimentTools;
  readonly #property: string;
  readonly list: StoreList;

  constructor(tools: ExperimentTools, list: StoreList, property: string) {
    this.#tools = tools;
    this.list = list;
    this.#property = property;
  }

  /** Returns the keys of the photos that a status finds. */
  async find(status: string | readonly string[]): Promise<Exchange & { keys: string[] }> {
    const { path, exchange: base } = this.list;
    const exchange = await this.#tools.ask(storeOf(this.#tools), path, { ...base.query, status });
    return { ...exchange, keys: isOk(exchange) ? keysOf(photosIn(exchange), this.#property) : [] };
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

export const photoStatus = experiment<"photos.status", StatusObserved>({
  gap: "photos.status",
  cost: 3,
  chance: 0.6,
  after: ["photos.page-shape"],
  needs: "photos whose image and protocol have different statuses, and show them",
  assumes:
    "The property status of photos and protocols is what the parameter compares with, and its two shared values are treated alike.",
  observe: async function* observe(tools) {
    let isFirst = true;
    for await (const list of storesWithPhotos(tools, 1)) {
      const property = findUniqueProperty(list.rows, PHOTO_IDS);
      if (property === undefined) continue;
      const reader = new StatusReader(tools, list, property);
      const photos = (await knownPhotos(tools, list, property)) ?? [];
      // the values of one enum are taken, or not, for every store
      if (isFirst) yield* observeAcceptance(reader);
      isFirst = false;
      yield* observeRules(reader, photos);
      // the photos of other stores also lack their status
      if (list.rows.every(({ status }) => status === undefined)) break;
    }
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

/** Finds the values of one enum that the service accepts. */
async function* observeAcceptance(
  reader: StatusReader,
): AsyncGenerator<ExperimentResult<StatusObserved>, void> {
  for (const [name, value] of [
    ["image", "uploaded"],
    ["protocol", "processing"],
  ] as const) {
    const exchange = await reader.find(value);
    const verb = isOk(exchange) ? "takes" : "refuses";
    const reason = `The photo list ${verb} the statuses that only the ${name} has.`;
    const isStatus = control("the status is 200 or 400", isOk(exchange) || exchange.status === 400);
    const controls = [succeeds(reader.list.exchange), isAnswer(exchange), isStatus] as const;
    const subject = `${reader.list.externalId} ${value}`;
    yield observation(subject, { [name]: isOk(exchange) }, reason, controls, exchange);
  }
}

/** Compares the photos that the shared values find with the photos that each rule would find. */
async function* observeRules(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
): AsyncGenerator<ExperimentResult<StatusObserved>, void> {
  const values = SHARED.toSorted((a, b) => countOutcomes(photos, b) - countOutcomes(photos, a));
  for (const value of values) {
    if (countOutcomes(photos, value) < 2) continue;
    const found = await reader.find(value);
    const rules = ALL_RULES.filter((rule) => isSame(predictKeys(photos, rule, value), found.keys));
    if (rules.length === ALL_RULES.length) continue;
    const reason = `The status "${value}" finds the photos that the rule ${rules.join(" or ")} finds.`;
    const isKnown = control("a rule finds these photos", isOk(found) && rules.length > 0);
    const controls = [isKnown, await confirmMeaning(reader, photos)] as const;
    yield observation(`${reader.list.externalId} ${value}`, { rules }, reason, controls, found);
  }
}

/** The service finds photos by the statuses that they show, with a status of only one enum. */
async function confirmMeaning(reader: StatusReader, photos: readonly KnownPhoto[]): Promise<Control> {
  const claim = "a status of one enum finds the photos that show it";
  let isConfirmed = false;
  for (const value of ["uploaded", "processing"]) {
    const keys = predictKeys(photos, "either", value);
    if (keys.length === 0) continue;
    const found = await reader.find(value);
    if (found.status === 400) continue;
    if (!isSame(keys, found.keys)) return control(claim, false);
    isConfirmed = true;
  }
  // photos without such statuses may still be compared with the shared ones
  return control(claim, isConfirmed || photos.every(({ image }) => SHARED.some((value) => value === image)));
}

/** Returns the photos of a store with both statuses; `undefined` if a response does not show them. */
export async function knownPhotos(
  tools: ExperimentTools,
  list: StoreList,
  property: string,
): Promise<KnownPhoto[] | undefined> {
  const path = storePath(list.externalId, "protocols");
  const protocols = rowsOf(await getInRange(tools, "protocols", path, largestPage(path)));
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

function isSame(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && String(first.toSorted()) === String(second.toSorted());
}
