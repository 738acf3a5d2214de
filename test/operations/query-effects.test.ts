import { expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { contractCases, sendCase } from "./contract-cases.ts";
import { operationsOf } from "./operations.ts";

const parameters = [...operationsOf("store"), ...operationsOf("fleet")].flatMap((operation) =>
  Object.entries(operation.rules)
    // pages have their own tests, and a missing `from` or `to` is an error
    .filter(([name, { required }]) => name !== "page" && required !== true)
    .map(([name, rule]) => ({ operation, id: operation.id, name, rule })),
);

it.each(parameters)("the reference server's response to $id depends on $name", async (parameter) => {
  const { operation, name, rule } = parameter;
  const ref = createReferenceServer();
  const { good } = contractCases(ref, operation);
  const [base = {}] = good;
  const isText = rule.type === "string" || rule.type === "comma-list";
  const values =
    isText && rule.values === undefined ? ["nothing"] : good.flatMap(({ query }) => query?.[name] ?? []);
  /** The rows, or the whole body: `meta.filters` repeats each filter. */
  const contentOf = async (query: typeof base.query): Promise<string> => {
    const response = await sendCase(ref, operation, { ...base, query: { ...base.query, ...query } });
    const body = (await response.json()) as { data?: unknown };
    return JSON.stringify(body.data ?? body);
  };
  const contents = await Promise.all([{}, ...values.map((value) => ({ [name]: value }))].map(contentOf));
  expect(new Set(contents).size).toBeGreaterThan(1);
});
