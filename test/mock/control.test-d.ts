import createClient from "openapi-fetch";
import { expectTypeOf, test } from "vitest";
import type { ControlPaths, PendingOverride } from "../../src/mock/index.ts";

const control = createClient<ControlPaths>({ baseUrl: "http://127.0.0.1:4010/__ref" });

test("a client generated from the control API's document knows routes, bodies and responses", async () => {
  const { data, error } = await control.POST("/overrides", {
    body: {
      operation: "getStore",
      matcher: { path: { externalId: "S-2" } },
      response: { status: 503, headers: { "retry-after": "1" } },
      times: 1,
    },
  });
  expectTypeOf(data?.id).toEqualTypeOf<number | undefined>();
  expectTypeOf(error?.error).toEqualTypeOf<string | undefined>();
  await control.DELETE("/overrides/{id}", { params: { path: { id: 1 }, query: { tenant: 2 } } });
  await control.POST("/readings", { body: { "stores.omitted-fields": "reset" } });
  await control.POST("/readings", { body: { version: 1, readings: { "stores.omitted-fields": "reset" } } });
  // @ts-expect-error -- a readings file has `readings`
  await control.POST("/readings", { body: { version: 1 } });
  // @ts-expect-error -- there is no such route
  await control.GET("/restart");
  // @ts-expect-error -- the fault is not one of the six kinds
  await control.POST("/overrides", { body: { operation: "getStore", fault: "explode" } });
});

test("the effects in the control API's document are those of the server", () => {
  type Listed = ControlPaths["/overrides/{id}"]["get"]["responses"][200]["content"]["application/json"];
  expectTypeOf<PendingOverride["effect"]["type"]>().toEqualTypeOf<Listed["effect"]["type"]>();
  expectTypeOf<PendingOverride>().toExtend<Omit<Listed, "effect">>();
});
