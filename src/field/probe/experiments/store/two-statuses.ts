import { control, isAnswer } from "../../controls.ts";
import { isOk } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { hintOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { storesWithPhotos } from "./data.ts";
import { PHOTO_IDS, findUniqueProperty } from "./identity.ts";
import { type KnownPhoto, SHARED, StatusReader, knownPhotos, predictKeys } from "./photo-status.ts";

interface TwoStatuses {
  readonly isRefused: boolean;
  readonly matchesBoth: boolean;
}

/** A protocol status and an image status. */
type Pair = readonly [protocol: string, image: string];

/** Pairs for photos that do not show their statuses. */
const PAIRS: readonly Pair[] = [
  ["completed", "uploaded"],
  ["failed", "uploaded"],
  ["completed", "evaluating"],
];

/**
 * Returns the pairs that find other photos than one of their values, first those with values that were already
 * sent.
 */
function informativePairs(photos: readonly KnownPhoto[] | undefined): readonly Pair[] {
  if (photos === undefined) return PAIRS;
  const statuses = [...new Set(photos.map(({ image }) => String(image)))];
  const pairs = ["completed", "failed", "processing"].flatMap((protocol) =>
    statuses.map((image): Pair => [protocol, image]),
  );
  const informative = pairs.filter(([protocol, image]) => {
    const both = photos.filter((photo) => photo.protocol === protocol && photo.image === image).length;
    const alone = [protocol, image].map((value) => predictKeys(photos, "either", value).length);
    return protocol !== image && alone.every((count) => count > both) && both > 0;
  });
  const isSent = ([, image]: Pair): boolean => ["uploaded", ...SHARED].some((value) => value === image);
  return informative.toSorted((a, b) => Number(isSent(b)) - Number(isSent(a)));
}

const ONE_ENUMERATION: ReadonlySet<string | undefined> = new Set(["protocol-only", "image-only"]);

export const twoStatuses = experiment<"photos.two-statuses", TwoStatuses>({
  gap: "photos.two-statuses",
  // photos.status sends the single values
  cost: 1.5,
  chance: 0.5,
  after: ["photos.status"],
  needs: "photos with statuses of both enumerations that the service takes one by one",
  assumes: "A service that uses one of two values finds the photos of that value.",
  observe: async function* observe(tools) {
    if (ONE_ENUMERATION.has(hintOf(tools, "photos.status")))
      throw new Missing("a service that takes statuses of both enumerations");
    for await (const list of storesWithPhotos(tools, 1)) {
      const property = findUniqueProperty(list.rows, PHOTO_IDS);
      if (property === undefined) continue;
      const reader = new StatusReader(tools, list, property);
      const pairs = informativePairs(await knownPhotos(tools, list, property));
      // a rejection is independent of the photos
      for (const pair of pairs.length > 0 ? pairs : PAIRS.slice(0, 1)) yield* observePair(reader, pair);
    }
    throw new Missing("photos with statuses of both enumerations");
  },
  readings: { one: { isRefused: true }, both: { matchesBoth: true } },
});

/** @throws {Missing} if the service does not accept each value on its own */
async function* observePair(
  reader: StatusReader,
  pair: Pair,
): AsyncGenerator<ExperimentResult<TwoStatuses>, void> {
  const [first, second] = [await reader.find(pair[0]), await reader.find(pair[1])];
  if (!isOk(first) || !isOk(second)) throw new Missing("a service that takes statuses of both enumerations");
  const both = await reader.find(pair);
  const isNarrower = [first, second].every(({ keys }) => keys.length > both.keys.length);
  const matchesBoth =
    both.keys.length > 0 &&
    isNarrower &&
    both.keys.every((key) => second.keys.includes(key) && first.keys.includes(key));
  const observed = { isRefused: both.status === 400, matchesBoth };
  const reason = `Two values of status: status ${both.status}, ${both.keys.length} photos.`;
  const isInformative = control(
    "the two values find other photos than each of them",
    observed.isRefused || matchesBoth,
  );
  const controls = [isAnswer(both), isInformative] as const;
  yield observation(reader.list.externalId, observed, reason, controls, first, second, both);
}
