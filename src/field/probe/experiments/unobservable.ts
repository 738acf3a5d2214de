import type { OpenGap } from "../gap.ts";

/** The gaps without an experiment, with what one would need. */
export const unobservable: { readonly [Gap in OpenGap]?: string } = {
  "protocols.equal-summaries":
    "something that tells two equal protocols apart; a response has only the equal objects themselves",
  "stores.external-id-equality": "a second spelling of the ID of a store, which might create another store",
  "time-range.precision":
    "a protocol whose time has a fraction of a second, and ranges that end within that second",
  "errors.store-not-processed":
    "a failed write whose effect can be read afterwards; the probe causes no failure",
  "lists.store-order": "another writer who changes entries during a walk",
  "lists.cursor-position": "another writer who deletes entries during a walk",
  "photos.order": "photos of several times, on a list that no one else changes",
  "writes.concurrent": "two writes that reach the service at the same instant",
  "photos.unknown-ids": "an ID that certainly no protocol has, after one that a protocol has",
  "stores.unknown-references": "a write with an ID that certainly no region has",
  "stores.login-code": "a second scratch store with the login code of the first",
  "expositions.foreign-id": "a second scratch store with an exposition",
  "fill-rates.empty-groups": "an exposition without an evaluated photo in a range that has others",
  "fill-rates.disabled-expositions": "an exposition with evaluated photos that is disabled during the run",
  "expositions.disabled": "a disabled exposition in the scratch store",
  "stores.opening-times": "a write of two opening times for one weekday",
  "photos.urls": "the property of a photo that is a URL; the contract shows no property",
  "lists.unfiltered-status": "protocols of several statuses in one range",
  "fill-rates.false-flag": "a group that `belowExpectationOnly` leaves out",
  "fleet.input-shapes":
    "a property that a body must have; what a service adds to a body, or leaves out, fits both readings",
  "lists.fleet-order": "another writer who changes rows during a walk",
  "fleet.repeated-post": "two equal requests, of which the second may leave a resource that cannot be found",
  "errors.fleet-not-processed":
    "a failed write whose effect can be read afterwards; the probe causes no failure",
  "fleet.delete-dependents": "its own vehicle with a damage, which may stay behind",
  "inspections.reported-damages": "its own inspection with a damage report, which may stay behind",
  "fleet.file-urls": "a request for a file, which is not part of the API",
  "fleet.search": "a listed value with two words",
  "fleet.null-properties": "an update that keeps what is left out, on its own resource",
};
