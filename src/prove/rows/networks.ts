import { always, breakResponse, htmlPage, json, redirect, respond, second } from "../faults.ts";
import { eventRow, POSTS, PUTS, READS, type Row, type Rows, row } from "../row.ts";

const error = { code: "internal", message: "try later" };
const errors = [{ code: "INTERNAL", message: "try later" }];

const problem = { type: "about:blank", title: "Service Unavailable", status: 503 };

function successWith(text: string, tasks: Row["tasks"]): Row {
  return row(tasks, "check-reads", {
    why: `A service that lost its database responds with 200 and ${text === "" ? "no body" : text}.`,
    fault: respond(json(text), second),
  });
}

const resetAfterwards = breakResponse("reset", {}, "after");

export const networkRows: Rows = {
  reset: eventRow([...READS, "copy-protocols"], "repeat-reads", breakResponse("reset", second), {
    why: "A load balancer is restarted and closes connections in the middle of a walk.",
  }),
  "gateway-error": eventRow(READS, "repeat-reads", respond(htmlPage(502), second), {
    why: "A gateway responds with 502 and an HTML page while the service is deployed.",
  }),
  "cut-off": eventRow(READS, "repeat-reads", breakResponse("truncate", second), {
    why: "The connection breaks in the middle of a response.",
  }),
  "not-json": eventRow(READS, "check-reads", breakResponse("malformed", second), {
    why: "A middlebox cuts a response and corrects its length.",
  }),
  "html-page": eventRow([...READS, "copy-photos"], "check-reads", breakResponse("html", second), {
    why: "A login page or an error page comes with status 200.",
  }),
  "empty-body": successWith("", READS),
  "empty-object": successWith("{}", ["copy-stores", "copy-protocols", "copy-photos", "copy-vehicles"]),
  "null-body": successWith("null", READS),
  "error-with-200": row(["copy-stores", "copy-photos", "copy-damages"], "check-reads", {
    why: "A gateway turns every status into 200 and keeps the body of the error.",
    fault: respond({ body: { error, errors } }, second),
  }),
  stalled: eventRow(READS, "limit-the-time", breakResponse("stall", second), {
    why: "A firewall forgets the connection: no response comes, and no error.",
  }),
  "stalled-body": eventRow(READS, "limit-the-time", breakResponse("stall", second, "body"), {
    why: "The response begins and then nothing more comes.",
  }),
  "redirect-loses-the-query": eventRow(READS, "do-not-follow", redirect(307, "the first page", second), {
    why: "The service moves a list, and its redirect forgets the query: the first page again.",
  }),
  "reset-before-write": row([...POSTS, ...PUTS, "delete-damages"], "check-writes", {
    why: "The connection breaks before the service has seen the request.",
    fault: breakResponse("reset", {}, "before"),
  }),
  "reset-after-write": eventRow([...POSTS, "add-expositions"], "never-repeat-creates", resetAfterwards, {
    why: "The service executes the request, and the connection breaks before the response arrives.",
  }),
  "reset-after-idempotent-write": eventRow(["delete-damages"], "accept-success", resetAfterwards, {
    why: "The service executes the request, and the connection breaks before the response arrives.",
  }),
  "timeout-after-write": eventRow(POSTS, "never-repeat-creates", breakResponse("stall", {}, "head"), {
    why: "The service executes the request, and the response takes longer than the program waits.",
  }),
  "gateway-timeout-after-write": row([...POSTS, "add-expositions"], "never-repeat-creates", {
    why: "The service executes the request, and the gateway gives up with 504 meanwhile.",
    fault: respond({ status: 504 }, {}, "after"),
  }),
  "gateway-error-after-write": row(POSTS, "never-repeat-creates", {
    why: "The service executes the request, and closes the connection, so that the gateway responds with 502.",
    fault: respond({ status: 502 }, {}, "after"),
  }),
  "cut-off-after-write": eventRow(POSTS, "never-repeat-creates", breakResponse("truncate", {}, "body"), {
    why: "The service executes the request, and its response breaks in the middle.",
  }),
  "error-before-write": eventRow([...POSTS, ...PUTS], "check-writes", respond({ status: 500 }), {
    why: "The service fails with 500 before it changes anything.",
  }),
  "html-instead-of-write": row([...PUTS, "create-stores", "report-damages"], "check-writes", {
    why: "A proxy responds to a write with an HTML page and 200, and the service never sees it.",
    fault: breakResponse("html", {}, "before"),
  }),
  "not-found-at-the-gateway": eventRow(["delete-damages"], "check-writes", respond(htmlPage(404)), {
    why: "A gateway loses its route to the service and responds with 404 and an HTML page.",
  }),
  "redirected-write": eventRow([...PUTS, ...POSTS], "do-not-follow", redirect(302, "the same URL"), {
    why: "The service redirects with 302, and the HTTP library turns the write into a GET that succeeds.",
  }),
  "redirected-write-303": eventRow(PUTS, "do-not-follow", redirect(303, "the same URL"), {
    why: "The service redirects with 303: every HTTP library turns the write into a GET that succeeds.",
  }),
  "deleted-but-lost": row(["delete-oldest-damage"], "recognize-deletions", {
    why: "The DELETE was executed, its response is lost, and the program looks for the oldest damage again.",
    fault: resetAfterwards,
    runs: "twice if it fails",
  }),
  "slow-body": eventRow(READS, "limit-the-time", breakResponse("slow", second), {
    why: "A body trickles in for a minute: each single read is quick.",
  }),
  "gateway-not-found": eventRow(READS, "check-reads", respond(htmlPage(404), second), {
    why: "A gateway loses its route to the service and responds to a page with 404 of its own.",
  }),
  "not-modified": eventRow(READS, "check-reads", respond({ status: 304 }, second), {
    why: "A cache responds with 304 although nobody asked for a comparison.",
  }),
  "problem-with-200": row([...READS, "change-stores", "report-damages"], "check-reads", {
    why: "A gateway responds with 200 and the problem of another service.",
    fault: respond({ body: problem, headers: { "content-type": "application/problem+json" } }),
  }),
  "function-error-with-200": row(["copy-protocols", "copy-fill-rates", ...PUTS], "check-reads", {
    why: "A cloud function fails, and its runtime responds with 200 and the error.",
    fault: respond({ body: { errorMessage: "Task timed out after 3.00 seconds", errorType: "Timeout" } }),
  }),
  "write-without-content": eventRow(PUTS, "accept-success", respond({ status: 204 }, always, "after"), {
    why: "A release of the service answers a PUT with 204 and no body.",
  }),
  "gateway-page-after-write": eventRow(POSTS, "never-repeat-creates", respond(htmlPage(502), {}, "after"), {
    why: "The service executes the request, and a proxy responds with 502 and a page of HTML.",
  }),
};
