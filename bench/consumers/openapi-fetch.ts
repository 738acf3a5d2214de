import createClient from "openapi-fetch";
import type { paths as FleetPaths } from "paths/fleet";
import type { paths as StorePaths } from "paths/store";

const id = "11111111-1111-4111-8111-111111111111";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const contacts = [{ name: "A", phone: "1" }];
const expectations = [
  {
    productCategory: null,
    displayType: "FRIDGE_DRINKS",
    weekday: 0,
    protocolTime: "08:00",
    expectedFillRatio: 80,
  } as const,
];
const expositions = [
  { label: "A", productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const },
];
const body = { name: "A" };

const store = createClient<StorePaths>({ baseUrl: "https://store.example" });
const fleet = createClient<FleetPaths>({ baseUrl: "https://fleet.example/api/third-party/v1" });

export async function everyOperation(): Promise<void> {
  await store.GET("/v1/stores", { params: { query: { limit: 10 } } });
  await store.GET("/v1/stores/{externalId}", { params: { path: { externalId: id } } });
  await store.PUT("/v1/stores/{externalId}", { params: { path: { externalId: id } }, body: { name: "A" } });
  await store.GET("/v1/stores/{externalId}/contacts", { params: { path: { externalId: id } } });
  await store.PUT("/v1/stores/{externalId}/contacts", {
    params: { path: { externalId: id } },
    body: { contacts },
  });
  await store.GET("/v1/stores/{externalId}/expectations", { params: { path: { externalId: id } } });
  await store.PUT("/v1/stores/{externalId}/expectations", {
    params: { path: { externalId: id } },
    body: { expectations },
  });
  await store.GET("/v1/stores/{externalId}/expositions", { params: { path: { externalId: id } } });
  await store.PUT("/v1/stores/{externalId}/expositions", {
    params: { path: { externalId: id } },
    body: { expositions },
  });
  await store.GET("/v1/stores/{externalId}/protocols", {
    params: { path: { externalId: id }, query: range },
  });
  await store.GET("/v1/stores/{externalId}/protocols/{protocolId}", {
    params: { path: { externalId: id, protocolId: id } },
  });
  await store.GET("/v1/stores/{externalId}/photos", { params: { path: { externalId: id }, query: range } });
  await store.GET("/v1/stores/{externalId}/fill-rates", {
    params: { path: { externalId: id }, query: range },
  });
  await store.GET("/v1/stores/{externalId}/expositions/{expositionId}/fill-rate", {
    params: { path: { externalId: id, expositionId: id }, query: range },
  });
  await store.GET("/v1/fill-rate", { params: { query: range } });
  await fleet.GET("/vehicles", { params: { query: { limit: 10 } } });
  await fleet.GET("/vehicles/{id}", { params: { path: { id } } });
  await fleet.POST("/vehicles", { body });
  await fleet.PUT("/vehicles/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/vehicles/{id}", { params: { path: { id } } });
  await fleet.GET("/vehicle-groups", { params: { query: { limit: 10 } } });
  await fleet.GET("/vehicle-groups/{id}", { params: { path: { id } } });
  await fleet.POST("/vehicle-groups", { body });
  await fleet.PUT("/vehicle-groups/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/vehicle-groups/{id}", { params: { path: { id } } });
  await fleet.GET("/vehicle-fields", { params: { query: { limit: 10 } } });
  await fleet.GET("/vehicle-fields/{id}/vehicles", { params: { path: { id } } });
  await fleet.GET("/inspections", { params: { query: { limit: 10 } } });
  await fleet.GET("/inspections/{id}", { params: { path: { id } } });
  await fleet.POST("/inspections", { body });
  await fleet.PATCH("/inspections/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/inspections/{id}", { params: { path: { id } } });
  await fleet.GET("/inspection-templates", { params: { query: { limit: 10 } } });
  await fleet.GET("/inspection-templates/{id}", { params: { path: { id } } });
  await fleet.POST("/inspection-templates", { body });
  await fleet.PUT("/inspection-templates/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/inspection-templates/{id}", { params: { path: { id } } });
  await fleet.GET("/damages", { params: { query: { limit: 10 } } });
  await fleet.GET("/damages/{id}", { params: { path: { id } } });
  await fleet.POST("/damages", { body });
  await fleet.PUT("/damages/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/damages/{id}", { params: { path: { id } } });
  await fleet.GET("/driver-assignments", { params: { query: { limit: 10 } } });
  await fleet.GET("/driver-assignments/{id}", { params: { path: { id } } });
  await fleet.POST("/driver-assignments", { body });
  await fleet.PATCH("/driver-assignments/{id}", { params: { path: { id } }, body });
  await fleet.DELETE("/driver-assignments/{id}", { params: { path: { id } } });
}
