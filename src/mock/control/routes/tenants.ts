import { keysOf } from "../key-info.ts";
import { assertNames } from "../property-checks.ts";
import { type ControlRoute, created, ok } from "../route.ts";

export const tenantRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "tenants",
    query: [],
    run: ({ tenants }) =>
      ok({ tenants: Array.from({ length: tenants.count }, (_, index) => ({ tenant: index + 1 })) }),
  },
  {
    method: "POST",
    path: "tenants",
    query: [],
    run({ tenants, body }) {
      assertNames(body, []);
      const { number, tenant } = tenants.create();
      return created({ tenant: number, token: tenant.token, keys: keysOf(tenant) });
    },
  },
];
