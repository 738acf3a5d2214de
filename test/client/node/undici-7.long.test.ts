import * as undici7 from "undici7";
import { vi } from "vitest";
import { transportTests } from "./transport-suite.ts";

vi.mock("undici", () => import("undici7"));

transportTests(undici7 as unknown as Parameters<typeof transportTests>[0]); // the same interface with other types
