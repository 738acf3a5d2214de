import type { Inspection, InspectionInput, InspectionSummary, paths } from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

const listRules = { rules: pageRules };

/** The inspections; the members of their summaries and inputs are not shown. Contract: fleet 4, Inspections. */
export class Inspections<S = InspectionSummary, I = InspectionInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes) {
    this.#http = http;
    this.#lists = lists;
    this.#shape = shapes.inspectionSummary;
    this.#input = shapes.inspectionInput;
  }

  /**
   * Lists the inspections.
   *
   * `GET /inspections`
   * @throws {ScopeError} without `inspections:read`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<S> {
    return this.#lists.open(
      "GET /inspections",
      { query, options, shape: this.#shape },
      (sent, copied, cancel) =>
        this.#http.page("/inspections", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one inspection in full.
   *
   * `GET /inspections/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:read`
   */
  get(id: string, options?: CallOptions): Call<Inspection> {
    return this.#http.get("/inspections/{id}", { path: { id }, uuids: ["id"] }, options);
  }

  /**
   * Submits an inspection: several vehicles, damage reports with photo URLs and a GPS location are possible.
   *
   * `POST /inspections`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `inspections:write`
   */
  submit(inspection: I, options?: CallOptions): Call<S> {
    const body = inspection as InspectionInput; // what the input's shape takes
    const finish = shaped<S>(this.#shape);
    return this.#http.post("/inspections", { body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Changes an inspection.
   *
   * `PATCH /inspections/{id}`
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `inspections:write`
   */
  update(id: string, inspection: I, options?: CallOptions): Call<S> {
    const body = inspection as InspectionInput; // what the input's shape takes
    const finish = shaped<S>(this.#shape);
    return this.#http.patch(
      "/inspections/{id}",
      { path: { id }, uuids: ["id"], body, bodyShape: this.#input, finish },
      options,
    );
  }

  /**
   * Deletes an inspection.
   *
   * `DELETE /inspections/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/inspections/{id}", { path: { id }, uuids: ["id"] }, options);
  }
}
