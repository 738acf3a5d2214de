import { setupServer } from "msw/node";
import { testsOver } from "./msw-suite.ts";

testsOver(setupServer);
