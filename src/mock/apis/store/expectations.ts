import type { Expectation, ExpectationInput, ExpectationReplacement } from "../../../../generated/store.ts";
import { type ApiResponse, ok } from "../../http/api-response.ts";
import { withoutDuplicates, duplicateIssues } from "./duplicates.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { withResponseTimes } from "./response-times.ts";
import { externalIdOf, requireStore, storeOf } from "./path-ids.ts";
import { RetainedRows } from "./retained-rows.ts";
import { omitNullProperty } from "./nullable-properties.ts";

/** `GET /v1/stores/{externalId}/expectations` */
export const getExpectations: StoreHandler = { find: requireStore, run: expectationList };

/** `PUT /v1/stores/{externalId}/expectations` */
export const putExpectations: StoreHandler = {
  find: requireStore,
  check: (context) => duplicateIssues(inputs(context), "expectations", slot, context.readings),
  run: (context) => {
    const { data, readings } = context;
    const key = externalIdOf(context);
    const stored = readings["lists.ids-after-replace"] === "kept" ? (data.expectations.get(key) ?? []) : [];
    const retained = new RetainedRows(stored, content);
    const wanted = withoutDuplicates(inputs(context), slot, readings);
    data.expectations.set(
      key,
      wanted.map((input) => retained.take(newExpectation(context, input))),
    );
    return expectationList(context);
  },
};

function inputs({ body }: StoreContext): ExpectationInput[] {
  return (body as ExpectationReplacement).expectations;
}

/** Identifies an expectation: type, category, weekday and time. gap lists.duplicates */
function slot({ displayType, productCategory, weekday, protocolTime }: ExpectationInput): string {
  return JSON.stringify([displayType, productCategory ?? null, weekday, protocolTime]);
}

function newExpectation({ ids, clock }: StoreContext, input: ExpectationInput): Expectation {
  return {
    expectationId: ids.uuid(),
    productCategory: input.productCategory,
    displayType: input.displayType,
    weekday: input.weekday,
    protocolTime: input.protocolTime,
    expectedFillRatio: input.expectedFillRatio,
    updatedAt: clock.now().toISOString(),
  };
}

function content(row: Expectation): string {
  const { displayType, productCategory, weekday, protocolTime, expectedFillRatio } = row;
  return JSON.stringify([displayType, productCategory ?? null, weekday, protocolTime, expectedFillRatio]);
}

function expectationList(context: StoreContext): ApiResponse {
  const rows = context.data.expectations.get(externalIdOf(context)) ?? [];
  const items = omitNullProperty(rows, "productCategory", context.readings).map((row) =>
    withResponseTimes(row, ["updatedAt"], context.readings),
  );
  return ok({ externalId: storeOf(context).externalId, items });
}
