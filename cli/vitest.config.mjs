/** How `nound test` runs the tests of a project. They find the vitest of the clone, wherever the project is. */

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^vitest$/,
        replacement: createRequire(import.meta.url)
          .resolve("vitest")
          .replace(/index\.cjs$/, "dist/index.js"),
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    // Time passes for the tested code only when a test says so.
    setupFiles: [resolve(import.meta.dirname, "../build/package/global-timers.js")],
  },
});
