/** How `nound test` runs the tests of a project. They find the vitest of the clone, wherever the project is. */

import { createRequire } from "node:module";
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
  test: { include: ["test/**/*.test.ts"] },
});
