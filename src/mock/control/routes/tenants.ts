import { keysOf } from "../key-info.ts";
import { assertNames } from "../property-checks.ts";
import { type ControlRoutes, Created } from "../route.ts";

export const tenantRoutes: ControlRoutes = {
  "GET /tenants": ({ tenants }) => ({
    tenants: Array.from({ length: tenants.count }, (_, index) => ({ tenant: index + 1 })),
  }),
  "POST /tenants": ({ tenants, body }) => {
    assertNames(body, []);
    const { number, tenant } = tenants.create();
    return new Created({ tenant: number, token: tenant.token, keys: keysOf(tenant) });
  },
};
