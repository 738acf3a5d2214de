export { serve, type ServeOptions, type ServedReference } from "./node/serve.ts";
