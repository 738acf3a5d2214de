import type { ScenarioRows } from "../model.ts";
import { copyFillRates, copyPhotos, copyProtocols, copyTemplates, copyVehicles } from "../tasks/copies.ts";
import { addContact, addExpositions, changeExposition, changeStores, createStores } from "../tasks/writes.ts";
import {
  changeInspections,
  deleteDamages,
  deleteOldestDamage,
  reportDamages,
  submitInspections,
} from "../tasks/fleet-writes.ts";

const RANGES = [copyProtocols, copyPhotos];

export const readingRows: ScenarioRows = {
  "range-left-open": {
    tasks: RANGES,
    why: "A range without its start and with its end has the right number of rows, and two of them are wrong.",
    cause: "boundary-trusted",
    world: { readings: { "time-range.ends": "left-open" } },
  },
  "range-inclusive": {
    tasks: RANGES,
    why: "A range with both ends returns a row that belongs to the next range as well.",
    cause: "boundary-trusted",
    world: { readings: { "time-range.ends": "inclusive" } },
  },
  "range-exclusive": {
    tasks: RANGES,
    why: "A range without its ends loses the row at midnight.",
    cause: "boundary-trusted",
    world: { readings: { "time-range.ends": "exclusive" } },
  },
  "range-by-submission": {
    tasks: [copyProtocols],
    why: "The range compares with the submission of a protocol, and not with its creation.",
    cause: "boundary-trusted",
    world: { readings: { "time-range.instant": "submission" } },
  },
  "newest-first": {
    tasks: [copyProtocols],
    why: "The list begins with the newest row.",
    cause: "meaning-assumed",
    world: { readings: { "protocols.order": "newest-first" } },
    isSolvable: true,
  },
  "id-has-another-name": {
    tasks: [copyProtocols],
    why: "The contract does not show the properties of a protocol: here its ID is called `id`.",
    cause: "meaning-assumed",
    world: { readings: { "protocols.id-property": "id" } },
  },
  "no-ids": {
    tasks: [copyProtocols],
    why: "The list shows protocols without an ID.",
    cause: "meaning-assumed",
    world: { readings: { "protocols.id-property": "anonymous" } },
  },
  "times-without-offset": {
    tasks: RANGES,
    why: "The service sends local-looking times without an offset, which some libraries read in the zone of the machine.",
    cause: "meaning-assumed",
    world: { readings: { "date-times.forms": "responses-without-offset" } },
  },
  "list-has-another-name": {
    tasks: [copyPhotos],
    why: "The contract does not show which property holds the photos: here it is `photos`.",
    cause: "ends-early",
    world: { readings: { "photos.page-shape": "photos-nextCursor" } },
  },
  "list-and-cursor-have-other-names": {
    tasks: [copyPhotos],
    why: "The contract does not show the photo list: here the rows are in `data` and the cursor is `cursor`.",
    cause: "ends-early",
    world: { readings: { "photos.page-shape": "data-cursor" } },
  },
  "no-list": {
    tasks: [copyPhotos],
    why: "The response contains only the number of photos.",
    cause: "ends-early",
    world: { readings: { "photos.page-shape": "no-list" } },
  },
  "cursor-is-an-id": {
    tasks: [copyPhotos],
    why: "The photo list returns no cursor: the ID of the last photo is the cursor of the next page.",
    cause: "ends-early",
    world: { readings: { "photos.cursor-source": "photo-id" } },
  },
  "status-means-the-protocol": {
    tasks: [copyPhotos],
    why: "The filter `status` is declared twice; here it selects by the status of the protocol.",
    cause: "filter-trusted",
    data: { status: "failed" },
    world: { readings: { "photos.status": "protocol" } },
  },
  "status-means-either": {
    tasks: [copyPhotos],
    why: "The filter `status` is declared twice; here it selects photos and protocols with this status.",
    cause: "filter-trusted",
    data: { status: "completed" },
    world: { readings: { "photos.status": "either" } },
  },
  "inactive-hidden": {
    tasks: [copyTemplates],
    why: "The list contains only active templates if the filter is omitted.",
    cause: "meaning-assumed",
    world: { readings: { "templates.inactive": "active-only" } },
  },
  "filter-ignored": {
    tasks: [copyTemplates],
    why: "A release of the service does not know the filter and returns everything.",
    cause: "filter-trusted",
    data: { isActive: false },
    faults: [
      {
        what: "isActive is ignored",
        arm: ({ ref }) =>
          ref.on("listInspectionTemplates", { query: { isActive: "false" } }).change((_, { query }) => {
            const [page, limit] = [Number(query["page"] ?? 1), Number(query["limit"] ?? 50)];
            const all = [...ref.state.fleet.inspectionTemplates.values()];
            const pagination = {
              currentPage: page,
              totalPages: Math.ceil(all.length / limit),
              totalCount: all.length,
              hasNextPage: page * limit < all.length,
              hasPreviousPage: page > 1,
            };
            const data = all.slice((page - 1) * limit, page * limit);
            return { status: 200, body: { data, meta: { version: "v1", pagination } } };
          }),
      },
    ],
  },
  "rates-are-fractions": {
    tasks: [copyFillRates],
    why: "The contract does not name the unit of a fill rate: here 1 is full.",
    cause: "meaning-assumed",
    world: { readings: { "fill-rates.calculation": "fraction" } },
  },
  "rates-have-another-list": {
    tasks: [copyFillRates],
    why: "The contract does not show the report: here its rows are in `items`.",
    cause: "ends-early",
    world: { readings: { "fill-rates.shape": "items" } },
  },
  "update-erases": {
    tasks: [changeStores],
    why: "A PUT sets every property to its default that the body omits.",
    cause: "update-erases",
    world: { readings: { "stores.omitted-fields": "reset" } },
    isSolvable: true,
  },
  "update-must-be-whole": {
    tasks: [changeStores],
    why: "A PUT rejects a body that omits a property.",
    cause: "write-not-checked",
    world: { readings: { "stores.omitted-fields": "reject" } },
  },
  "creation-needs-more": {
    tasks: [createStores],
    why: "The service requires properties that the contract does not mark as required.",
    cause: "write-not-checked",
    data: { stores: [7, 8].map((index) => ({ externalId: `S-${index}`, name: `Kiosk ${index}` })) },
    world: { readings: { "stores.create-requirements": "non-null-fields" } },
  },
  "patch-has-its-own-shape": {
    tasks: [changeInspections],
    why: "A PATCH expects the changes in a property of its body.",
    cause: "write-not-checked",
    world: { readings: { "fleet.patch": "own-shape" } },
  },
  "absent-is-deleted": {
    tasks: [addExpositions, changeExposition],
    why: "The upsert deletes the expositions that the body does not name.",
    cause: "update-erases",
    world: { readings: { "expositions.absent": "delete" } },
    isSolvable: true,
  },
  "absent-is-disabled": {
    tasks: [addExpositions, changeExposition],
    why: "The upsert disables the expositions that the body does not name.",
    cause: "update-erases",
    world: { readings: { "expositions.absent": "disable" } },
    isSolvable: true,
  },
  "matched-by-type": {
    tasks: [addExpositions],
    why: "The upsert recognizes an exposition without an ID by its type, and overwrites the one that has it.",
    cause: "identity-assumed",
    world: { readings: { "expositions.matching": "type" } },
    data: {
      expositions: [
        {
          label: "Rack 4",
          friendlyTitle: null,
          productCategories: ["DRINKS"],
          expositionType: "FRIDGE_DRINKS",
          status: "active",
        },
      ],
    },
  },
  "ids-stay": {
    tasks: [addContact],
    why: "Contacts keep their IDs when their list is replaced; the contract leaves this open.",
    cause: "meaning-assumed",
    world: { readings: { "lists.ids-after-replace": "kept" } },
    cannotDiffer: "the task does not use the IDs of contacts",
  },
  "created-with-200": {
    tasks: [reportDamages, submitInspections],
    why: "A POST succeeds with 200 instead of 201.",
    cause: "write-repeated",
    world: { readings: { "fleet.create-status": "ok" } },
    isSolvable: true,
  },
  "deleted-with-204": {
    tasks: [deleteDamages],
    why: "A DELETE succeeds with 204 and no body.",
    cause: "delete-not-recognized",
    world: { readings: { "fleet.delete-response": "no-content" } },
    isSolvable: true,
  },
  "deleted-with-204-then-again": {
    tasks: [deleteOldestDamage],
    why: "A DELETE succeeds with 204, the program takes it for a failure, and its next run deletes the next damage.",
    cause: "delete-not-recognized",
    world: { readings: { "fleet.delete-response": "no-content" } },
    runs: { kind: "again", when: "failed" },
    isSolvable: true,
  },
  "version-header-required": {
    tasks: [copyVehicles],
    why: "The service requires the header X-Service-API-Version, which the contract calls optional.",
    cause: "write-not-checked",
    world: { readings: { "fleet.version-header": "required" } },
  },
};
