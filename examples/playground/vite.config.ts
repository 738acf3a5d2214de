import { msw } from "msw/vite";
import { defineConfig } from "vite";
import { checkoutPackage, guidesOfTheCheckout, operationsOfTheDocuments } from "./build/plugins.ts";

export default defineConfig({
  // the built folder works wherever it is put, below any path
  base: "./",
  plugins: [
    checkoutPackage(),
    operationsOfTheDocuments(),
    guidesOfTheCheckout(),
    msw({ mode: "worker-only" }),
  ],
  build: { target: "es2023", chunkSizeWarningLimit: 900 },
});
