import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Chromium takes only the last list of features, so that this one repeats those of Playwright that matter here. */
const features = [
  // without these two, a window takes half of the processor time: no test sees the suggestions of its address bar
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${features.join(",")}`,
];

/** Without windows a browser takes a third of the processor time, and shows the same pages. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = process.env["CHROMIUM"] ?? browsers.find((path) => existsSync(path)) ?? "chromium";

export default defineConfig({
  testDir: "test",
  outputDir: "reports/results",
  workers: 2,
  fullyParallel: true,
  // these only end what hangs: other suites may take most of the processor time
  timeout: 1_800_000,
  forbidOnly: true,
  expect: { timeout: 300_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    launchOptions: { executablePath, args },
  },
});
