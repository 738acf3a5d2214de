import { setupServer } from "msw2/node";
import { vi } from "vitest";
import { testsOver } from "./msw-suite.ts";

vi.mock("msw", () => import("msw2"));

testsOver(setupServer as unknown as Parameters<typeof testsOver>[0]); // the same interface with other types
