export { serve, type ServeOptions, type ServedReference } from "./adapters/node/serve.ts";
