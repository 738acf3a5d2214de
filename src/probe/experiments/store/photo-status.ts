import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";

import { type Lab, storeOf } from "../../lab.ts";
import { type StoreList, WIDE, listIn, storePath, storesWithPhotos } from "./data.ts";
import { distinguishing, keysOf } from "./identity.ts";

const IDS = ["photoId", "id", "imageId"] as const;
const IMAGE_ONLY = ["uploaded", "pending", "annotating", "annotated", "evaluating"] as const;
const PROTOCOL_ONLY = ["processing", "awaiting_processing", "awaiting_submission"] as const;
const SHARED = ["completed", "failed"] as const;

/** Sends one request for each status. */
class StatusReader {
  readonly #lab: Lab;
  readonly #path: string;
  readonly #member: string;
  readonly exchanges: Exchange[] = [];

  constructor(lab: Lab, { path }: StoreList, member: string) {
    this.#lab = lab;
    this.#path = path;
    this.#member = member;
  }

  /** Returns the keys of the photos that a status finds. */
  async find(status: string | readonly string[]): Promise<Exchange & { keys: string[] }> {
    const exchange = await storeOf(this.#lab).get(this.#path, { ...WIDE, limit: "500", status });
    this.exchanges.push(exchange);
    return { ...exchange, keys: keysOf(listIn(exchange)?.rows ?? [], this.#member) };
  }
}

/** A photo with its own status and the status of its protocol. */
interface KnownPhoto {
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

interface StatusSeen {
  /** The statuses of one enum that were rejected. */
  readonly refused?: "image" | "protocol";
  /** The rules that agree with the found photos. */
  readonly rules?: readonly Rule[];
}

function allows(rule: Rule): (seen: StatusSeen) => boolean {
  return ({ refused, rules = [] }) => refused === undefined && rules.includes(rule);
}

export const photoStatus = experiment<"photos.status", StatusSeen>({
  gap: "photos.status",
  consent: "read",
  cost: 4,
  after: ["photos.page-shape"],
  needs: "photos whose image and protocol have different statuses, and show them",
  observe: async function* observe(lab) {
    for await (const list of storesWithPhotos(lab, 1)) {
      const member = distinguishing(list.rows, IDS);
      if (member === undefined) continue;
      const reader = new StatusReader(lab, list, member);
      const uploaded = await reader.find("uploaded");
      const processing = await reader.find("processing");
      if (isOk(uploaded) !== isOk(processing)) {
        const refused = isOk(uploaded) ? "protocol" : "image";
        yield proof(
          { refused },
          `The photo list refuses the statuses that only the ${refused} has.`,
          ...reader.exchanges,
        );
      }
      const photos = await knownPhotos(lab, list, member);
      if (photos !== undefined && isOk(uploaded) && isOk(processing)) yield* explained(reader, photos);
    }
    throw new Missing("photos whose image and protocol have different statuses, and show them");
  },
  readings: {
    either: allows("either"),
    both: allows("both"),
    protocol: allows("protocol"),
    image: allows("image"),
    "protocol-only": ({ refused }) => refused === "image",
    "image-only": ({ refused }) => refused === "protocol",
  },
});

/** Returns the photos of a store with both statuses; `undefined` if a response does not show them. */
async function knownPhotos(lab: Lab, list: StoreList, member: string): Promise<KnownPhoto[] | undefined> {
  const path = storePath(list.externalId, "protocols");
  const protocols = rowsOf(await storeOf(lab).get(path, { ...WIDE, limit: "100" }));
  const images: ReadonlySet<unknown> = new Set([...IMAGE_ONLY, ...SHARED]);
  const statuses: ReadonlySet<unknown> = new Set([...PROTOCOL_ONLY, ...SHARED]);
  if (!list.rows.every(({ status }) => images.has(status))) return undefined;
  if (!protocols.every(({ status }) => statuses.has(status))) return undefined;
  const byId = new Map(protocols.map((row) => [row.protocolId ?? row.id, row.status]));
  const photos = list.rows.map((row) => ({
    key: String(row[member]),
    image: row.status,
    protocol: byId.get(row.protocolId) ?? row.protocolStatus,
  }));
  return photos.every(({ protocol }) => protocol !== undefined) ? photos : undefined;
}

/** Compares the photos that the shared values find with the photos that each rule would find. */
async function* explained(
  reader: StatusReader,
  photos: readonly KnownPhoto[],
): AsyncGenerator<Sighting<StatusSeen>, void> {
  if (photos.every(({ image, protocol }) => image === protocol)) return;
  // a status of only one enum shows whether the properties have the expected meaning
  const own = await confirmed(reader, photos);
  if (own === undefined) return;
  for (const value of SHARED) {
    const predicted = (rule: Rule): string[] =>
      photos.filter((one) => RULES[rule](value, one)).map(({ key }) => key);
    const rules = Object.keys(RULES) as Rule[]; // its own keys
    if (rules.every((rule) => isSame(predicted(rule), predicted("either")))) continue;
    const found = await reader.find(value);
    const fitting = rules.filter((rule) => isOk(found) && isSame(predicted(rule), found.keys));
    // a status may have changed between two requests
    if (fitting.length === 0) continue;
    const because = `The status "${value}" finds the photos that the rule ${fitting.join(" or ")} finds.`;
    const seen: StatusSeen = { rules: fitting };
    yield own ? proof(seen, because, ...reader.exchanges) : sighting(seen, because, ...reader.exchanges);
  }
}

/** Whether the service finds photos by the statuses that they show; `undefined` if it does not. */
async function confirmed(reader: StatusReader, photos: readonly KnownPhoto[]): Promise<boolean | undefined> {
  let isConfirmed = false;
  for (const value of ["uploaded", "processing"]) {
    const predicted = photos.filter((one) => RULES.either(value, one)).map(({ key }) => key);
    if (!isSame(predicted, (await reader.find(value)).keys)) return undefined;
    if (predicted.length > 0) isConfirmed = true;
  }
  return isConfirmed;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && String(one.toSorted()) === String(other.toSorted());
}

interface TwoStatuses {
  readonly isRefused: boolean;
  readonly matchesBoth: boolean;
}

export const twoStatuses = experiment<"photos.two-statuses", TwoStatuses>({
  gap: "photos.two-statuses",
  consent: "read-odd",
  cost: 2,
  after: ["photos.status"],
  needs: "photos with statuses of both enumerations that the service takes one by one",
  observe: async function* observe(lab) {
    for await (const list of storesWithPhotos(lab, 1)) {
      const member = distinguishing(list.rows, IDS);
      if (member === undefined) continue;
      const reader = new StatusReader(lab, list, member);
      for (const pair of [
        ["completed", "evaluating"],
        ["failed", "uploaded"],
        ["completed", "uploaded"],
      ] as const) {
        const [first, second] = [await reader.find(pair[0]), await reader.find(pair[1])];
        if (!isOk(first) || !isOk(second))
          throw new Missing("a service that takes statuses of both enumerations");
        const both = await reader.find(pair);
        // a service that uses one of two values finds the photos of that value
        const isOwn = String(both.keys) !== String(first.keys) && String(both.keys) !== String(second.keys);
        const matchesBoth = isOk(both) && isOwn && both.keys.every((key) => second.keys.includes(key));
        const isTelling = isOk(both) && isOwn;
        const seen = { isRefused: both.status === 400, matchesBoth };
        const because = `Two values of status: status ${both.status}, ${both.keys.length} photos.`;
        if (seen.isRefused || isTelling) yield proof(seen, because, first, second, both);
      }
    }
    throw new Missing("photos with statuses of both enumerations");
  },
  readings: { one: ({ isRefused }) => isRefused, both: ({ matchesBoth }) => matchesBoth },
});
