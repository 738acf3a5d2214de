/** Which readings a run has to cover: those that a program can notice through the clients. */
import { fleetGaps, storeGaps } from "../models/readings.ts";

/** Gaps that make no difference to the clients, each with its reason. */
export const unnoticed: Readonly<Record<string, string>> = {
  "photos.status": "the service filters, and the photos have one status",
  "photos.two-statuses": "the service filters",
  "fill-rates.below-expectation": "the service filters",
  "fill-rates.bounds": "the service filters",
  "fill-rates.inverted-bounds": "the service filters",
  "fill-rates.unknown-stores": "the service filters",
  "expectations.null-category": "decides the values that fill rates are compared with",
  "weekdays.first": "decides the values that fill rates are compared with",
  "time-zones.meaning": "decides the days of fill rates",
  "fill-rates.exposition-id": "the error passes through",
  "requests.unknown-properties": "programs send documented members",
  "requests.unlisted-values": "programs send documented values",
  "contacts.email-format": "programs send no e-mail addresses",
  "stores.external-id-characters": "programs send plain external IDs",
  "fleet.input-shapes": "bodies and responses pass through",
  "fleet.unknown-properties": "programs send documented members",
  "lists.unknown-filters": "programs send documented filters",
  "scopes.implications": "a key of a program has all scopes, or those for reading",
  "keys.hex-case": "programs send keys as they are",
  "scopes.list-templates": "a key of a program has all scopes for reading",
  "scopes.get-damage": "a key of a program has all scopes for reading",
  "scopes.field-vehicles": "a key of a program has all scopes for reading",
  "inspections.status-values": "statuses pass through",
  "damages.status-values": "statuses pass through",
  "vehicles.type-values": "types pass through",
  "errors.other-statuses": "the clients request documented paths only",
  "limits.body-size": "no body of a program has ten megabytes",
  "fleet.limit-out-of-range": "the client refuses such a limit",
  "keys.review-scopes": "decides which keys can be made",
  "keys.unknown-scopes": "decides which keys can be made",
};

const minimum = 0.01;

/** Each reading that has to be covered, as `gap: reading`. */
const required = [...Object.entries<readonly string[]>(storeGaps), ...Object.entries(fleetGaps)]
  .filter(([gap]) => unnoticed[gap] === undefined)
  .flatMap(([gap, readings]) => readings.map((reading) => `${gap}: ${reading}`));

/** Counts the histories that covered each reading. */
export class Coverage {
  histories = 0;
  readonly #counts = new Map(required.map((reading) => [reading, 0]));

  /** @param requested the readings that the service asked for */
  add(requested: ReadonlySet<string>): void {
    this.histories += 1;
    for (const reading of requested) {
      const count = this.#counts.get(reading);
      if (count !== undefined) this.#counts.set(reading, count + 1);
    }
  }

  /** Each reading with its part of the histories, the rarest first. */
  shares(): (readonly [string, number])[] {
    return [...this.#counts]
      .map(([reading, count]) => [reading, count / Math.max(1, this.histories)] as const)
      .toSorted(([, one], [, other]) => one - other);
  }

  /**
   * Readings in significantly less than 1 % of the histories: by 4 standard deviations. Runs of a few hundred
   * histories therefore prove nothing, and a run of a million allows 0.96 %.
   */
  tooRare(): string[] {
    const deviation = Math.sqrt((minimum * (1 - minimum)) / Math.max(1, this.histories));
    return this.shares().flatMap(([reading, share]) => (share < minimum - 4 * deviation ? [reading] : []));
  }
}
