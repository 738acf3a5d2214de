import { breakResponse, redirect, respond, second } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { copyDamages, copyPhotos, copyProtocols, copyStores, copyVehicles } from "../tasks/copies.ts";
import { addExpositions, changeStores, createStores } from "../tasks/writes.ts";
import {
  changeVehicles,
  deleteDamages,
  deleteOldestDamage,
  reportDamages,
  submitInspections,
} from "../tasks/fleet-writes.ts";

const READS = [copyStores, copyVehicles];
const PUTS = [changeStores, changeVehicles];
const POSTS = [reportDamages, submitInspections];

export const networkRows: ScenarioRows = {
  reset: {
    tasks: [...READS, copyProtocols],
    why: "A load balancer is restarted and closes connections in the middle of a walk.",
    cause: "read-not-retried",
    faults: [breakResponse("reset", second)],
    isSolvable: true,
  },
  "gateway-error": {
    tasks: READS,
    why: "A gateway responds with 502 and an HTML page while the service is deployed.",
    cause: "read-not-retried",
    faults: [
      respond(
        { status: 502, body: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } },
        second,
      ),
    ],
    isSolvable: true,
  },
  "cut-off": {
    tasks: READS,
    why: "The connection breaks in the middle of a response.",
    cause: "read-not-checked",
    faults: [breakResponse("truncate", second)],
    isSolvable: true,
  },
  "not-json": {
    tasks: READS,
    why: "A middlebox cuts a response and corrects its length.",
    cause: "read-not-checked",
    faults: [breakResponse("malformed", second)],
  },
  "html-page": {
    tasks: [copyStores, copyVehicles, copyPhotos],
    why: "A login page or an error page comes with status 200.",
    cause: "read-not-checked",
    faults: [breakResponse("html", second)],
  },
  "empty-body": {
    tasks: READS,
    why: "A proxy responds with 200 without a body.",
    cause: "read-not-checked",
    faults: [respond({ status: 200, body: "", headers: { "content-type": "application/json" } }, second)],
  },
  "empty-object": {
    tasks: [copyStores, copyProtocols, copyPhotos, copyVehicles],
    why: "A service that lost its database responds with {} with status 200.",
    cause: "read-not-checked",
    faults: [respond({ status: 200, body: {} }, second)],
  },
  "null-body": {
    tasks: READS,
    why: "A service that lost its database responds with null with status 200.",
    cause: "read-not-checked",
    faults: [respond({ status: 200, body: "null", headers: { "content-type": "application/json" } }, second)],
  },
  "error-with-200": {
    tasks: [copyStores, copyPhotos, copyDamages],
    why: "A gateway turns every status into 200 and keeps the body of the error.",
    cause: "read-not-checked",
    faults: [
      respond(
        {
          status: 200,
          body: {
            error: { code: "internal", message: "try later" },
            errors: [{ code: "INTERNAL", message: "try later" }],
          },
        },
        second,
      ),
    ],
  },
  stalled: {
    tasks: READS,
    why: "A firewall forgets the connection: no response comes, and no error.",
    cause: "no-timeout",
    faults: [breakResponse("stall", second)],
    isSolvable: true,
  },
  "stalled-body": {
    tasks: READS,
    why: "The response begins and then nothing more comes.",
    cause: "no-timeout",
    faults: [breakResponse("stall", second, "body")],
    isSolvable: true,
  },
  "redirect-loses-the-query": {
    tasks: READS,
    why: "The service moves a list, and its redirect forgets the query: the first page again.",
    cause: "redirect-followed",
    faults: [redirect(307, "first page", second)],
  },
  "reset-before-write": {
    tasks: [...POSTS, ...PUTS, deleteDamages],
    why: "The connection breaks before the service has seen the request.",
    cause: "write-not-checked",
    faults: [breakResponse("reset", {}, "before")],
  },
  "reset-after-write": {
    tasks: [...POSTS, addExpositions],
    why: "The service executes the request, and the connection breaks before the response arrives.",
    cause: "write-repeated",
    faults: [breakResponse("reset", {}, "after")],
  },
  "reset-after-idempotent-write": {
    tasks: [deleteDamages],
    why: "The service executes the request, and the connection breaks before the response arrives.",
    cause: "delete-not-recognized",
    faults: [breakResponse("reset", {}, "after")],
    isSolvable: true,
  },
  "timeout-after-write": {
    tasks: POSTS,
    why: "The service executes the request, and the response takes longer than the program waits.",
    cause: "write-repeated",
    faults: [breakResponse("stall", {}, "head")],
  },
  "gateway-timeout-after-write": {
    tasks: [...POSTS, addExpositions],
    why: "The gateway gives up with 504 while the service executes the request.",
    cause: "write-repeated",
    faults: [respond({ status: 504 }, {}, "after")],
  },
  "gateway-error-after-write": {
    tasks: POSTS,
    why: "The gateway responds with 502 because the service closed the connection after it had executed the request.",
    cause: "write-repeated",
    faults: [respond({ status: 502 }, {}, "after")],
  },
  "cut-off-after-write": {
    tasks: POSTS,
    why: "The response to a write breaks in the middle.",
    cause: "write-repeated",
    faults: [breakResponse("truncate", {}, "body")],
  },
  "error-before-write": {
    tasks: [...POSTS, ...PUTS],
    why: "The service fails with 500 before it changes anything.",
    cause: "write-not-checked",
    faults: [respond({ status: 500 })],
  },
  "html-instead-of-write": {
    tasks: [...PUTS, createStores, reportDamages],
    why: "A proxy responds with a write with an HTML page and 200, and the service never sees it.",
    cause: "write-not-checked",
    faults: [breakResponse("html", {}, "before")],
  },
  "not-found-at-the-gateway": {
    tasks: [deleteDamages],
    why: "A gateway loses its route to the service and responds with 404 and an HTML page.",
    cause: "write-not-checked",
    faults: [
      respond({ status: 404, body: "<html>Not Found</html>", headers: { "content-type": "text/html" } }),
    ],
  },
  "redirected-write": {
    tasks: [...PUTS, ...POSTS],
    why: "The service redirects with 302, and the HTTP library turns the write into a GET that succeeds.",
    cause: "redirect-followed",
    faults: [redirect(302, "same host")],
  },
  "redirected-write-303": {
    tasks: PUTS,
    why: "The service redirects with 303: every HTTP library turns the write into a GET that succeeds.",
    cause: "redirect-followed",
    faults: [redirect(303, "same host")],
  },
  "deleted-but-lost": {
    tasks: [deleteOldestDamage],
    why: "The DELETE was executed, its response is lost, and the program looks for the oldest damage again.",
    cause: "delete-not-recognized",
    faults: [breakResponse("reset", {}, "after")],
    runs: { kind: "again", when: "failed" },
  },
  "sent-twice": {
    tasks: [changeStores],
    why: "A proxy sends a PUT twice: both have the same effect.",
    cause: "stale-write",
    faults: [
      {
        what: "the proxy sends it again",
        arm: ({ ref, operation }) => ref.on(operation).delay(0),
      },
    ],
    cannotDiffer: "a PUT that is sent twice has the effect of one",
  },
};
