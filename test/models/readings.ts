/**
 * The gaps of the contracts that the models play, each with its readings. The first reading is the default.
 * `readings.test.ts` compares these tables with specs/gaps.yaml.
 */

type GapTable = Readonly<Record<string, readonly [string, ...string[]]>>;

export const storeGaps = {
  "fill-rates.calculation": ["percent", "fraction"],
  "stores.create-requirements": ["none-required", "non-null-fields", "name-only"],
  "protocols.id-property": ["protocolId", "id", "anonymous"],
  "photos.page-shape": ["items-nextCursor", "photos-nextCursor", "data-cursor", "no-list"],
  "photos.cursor-source": ["response", "photo-id"],
  "fill-rates.shape": ["groups", "items"],
  "stores.omitted-fields": ["keep", "reset", "reject"],
  "expositions.absent": ["keep", "disable", "delete"],
  "expositions.matching": ["always-new", "label", "type", "label-and-type"],
  "protocols.next-page": ["cursor", "ignored", "ignored-new-cursor", "rejected"],
  "photos.status": ["either", "both", "protocol", "image", "protocol-only", "image-only"],
  "fill-rates.below-expectation": ["groups", "stores", "ignored"],
  "fill-rates.bounds": ["inclusive", "exclusive", "ignored"],
  "fill-rates.inverted-bounds": ["reject", "empty"],
  "errors.issue-codes": ["given", "absent"],
  "errors.other-statuses": ["listed", "any"],
  "limits.store-rate": ["none", "too-many-requests"],
  "limits.body-size": ["ten-megabytes", "unlimited"],
  "stores.null-external-id": ["listed", "never-listed"],
  "stores.null-opening-times": ["clears", "keeps"],
  "stores.body-external-id": ["path-wins", "renames", "rejected"],
  "stores.null-store-type": ["accepted", "rejected"],
  "responses.nullable-properties": ["present", "absent"],
  "errors.code-presence": ["present", "absent"],
  "protocols.id-format": ["text", "uuid"],
  "fill-rates.exposition-id": ["not-found", "invalid"],
  "weekdays.first": ["sunday", "monday"],
  "time-range.ends": ["half-open", "inclusive", "exclusive", "left-open"],
  "time-range.inverted": ["reject", "empty"],
  "stores.cursor-start": ["after", "at"],
  "stores.unknown-cursor": ["next-greater", "reject", "empty"],
  "lists.ids-after-replace": ["new", "kept"],
  "lists.duplicates": ["accepted", "last-wins", "rejected"],
  "expositions.omitted-title": ["cleared", "kept"],
  "expositions.unknown-id": ["created", "created-with-new-id", "not-found", "invalid"],
  "fill-rates.unknown-stores": ["skipped", "rejected"],
  "requests.unknown-properties": ["ignored", "rejected"],
  "requests.check-order": ["not-found-first", "invalid-first"],
  "stores.external-id-characters": ["any", "plain"],
  "expectations.null-category": ["whole-display", "no-meaning"],
  "protocols.order": ["oldest-first", "newest-first"],
  "time-range.instant": ["creation", "own-instant", "submission"],
  "time-zones.meaning": ["utc", "local"],
  "date-times.forms": ["rfc3339", "iso-utc", "responses-without-offset"],
  "expositions.response": ["all", "sent"],
  "photos.two-statuses": ["one", "both"],
  "stores.null-cursor": ["last-page", "last-not-null", "null-early"],
  "contacts.email-format": ["lenient", "rfc5321"],
  "protocols.equal-summaries": ["distinct", "one"],
  "requests.unlisted-values": ["rejected", "accepted"],
} as const satisfies GapTable;

export const fleetGaps = {
  "inspections.status-values": ["documented", "open"],
  "damages.status-values": ["documented", "open"],
  "vehicles.type-values": ["documented", "open"],
  "templates.group-filter": ["vehicleGroupId", "groupId", "vehicleGroup"],
  "templates.title-filter": ["search", "title"],
  "fleet.input-shapes": ["response-properties", "opaque"],
  "fleet.undocumented-responses": ["envelope", "anything"],
  "lists.undocumented": ["paged", "whole"],
  "scopes.list-templates": ["either", "table", "prose", "both"],
  "scopes.get-damage": ["either", "table", "prose", "both"],
  "scopes.implications": ["none", "write-implies-read"],
  "errors.undocumented-bodies": ["envelope", "empty"],
  "limits.fleet-rate": ["none", "too-many-requests"],
  "templates.get-one": ["by-path", "absent", "list-element"],
  "fleet.create-status": ["created", "ok"],
  "fleet.delete-response": ["envelope", "no-content"],
  "fleet.deleted-resources": ["gone", "readable"],
  "fleet.second-delete": ["not-found", "repeatable"],
  "fleet.patch-content-type": ["json", "merge-patch"],
  "fleet.version-header": ["optional", "required"],
  "inspections.template-properties": ["four-fields", "full"],
  "scopes.field-vehicles": ["table", "extra-scopes"],
  "keys.review-scopes": ["refused", "granted"],
  "fleet.absent-properties": ["null-objects", "present", "absent"],
  "templates.options": ["strings", "objects"],
  "fields.no-response": ["left-out", "null-response", "absent-response"],
  "fields.no-status-rule": ["ok", "absent"],
  "fleet.limit-out-of-range": ["rejected", "clamped"],
  "fleet.page-past-end": ["empty", "rejected", "clamped"],
  "templates.inactive": ["all", "active-only"],
  "fleet.unsent-filters": ["null-value", "absent", "empty-string"],
  "lists.filters-across-pages": ["repeated", "remembered"],
  "fleet.malformed-ids": ["not-found", "invalid"],
  "keys.hex-case": ["any", "lower-only"],
  "fleet.unknown-version": ["ignored", "rejected"],
  "fleet.put": ["replace", "merge"],
  "errors.forbidden-details": ["always", "absent"],
  "keys.unknown-scopes": ["refused", "ignored"],
  "fleet.unknown-properties": ["ignored", "rejected"],
  "lists.unknown-filters": ["ignored", "rejected"],
  "templates.version-after-put": ["stays", "each-put", "changes-only"],
  "fleet.patch": ["partial", "own-shape"],
} as const satisfies GapTable;

type Chosen<Table extends GapTable> = { readonly [Gap in keyof Table]: Table[Gap][number] };

export type StoreReadings = Chosen<typeof storeGaps>;
export type FleetReadings = Chosen<typeof fleetGaps>;

/** Readings by gap, of one API or of both. */
export type GivenReadings = Readonly<Record<string, string>>;

/** Completes readings with the defaults of a table. Gaps of the other API are left out. */
export function chooseReadings<Table extends GapTable>(
  table: Table,
  given: GivenReadings = {},
): Chosen<Table> {
  const chosen: Record<string, string> = {};
  for (const [gap, readings] of Object.entries(table)) {
    const reading = given[gap] ?? readings[0];
    if (!readings.includes(reading)) throw new Error(`Unknown reading "${reading}" of the gap "${gap}"`);
    chosen[gap] = reading;
  }
  for (const gap of Object.keys(given)) {
    if (!(gap in storeGaps) && !(gap in fleetGaps)) throw new Error(`Unknown gap "${gap}"`);
  }
  // the loop filled in each gap of the table with one of its readings
  return chosen as Chosen<Table>;
}
