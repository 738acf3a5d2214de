export { serve, type ServedReference, type ServeOptions } from "./adapters/serve.ts";
