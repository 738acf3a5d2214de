import { transportTests } from "./transport-suite.ts";
import * as undici from "undici";

transportTests(undici);
