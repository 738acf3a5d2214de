// Loaded when the first list is read: all that reads lists is one chunk.
export { readByCursor } from "./cursor-source.ts";
export { readProtocols } from "./protocol-walk.ts";
