/** Two suites: `unit` runs the core on Node, `e2e` starts the built binary and speaks to it over sockets. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          // An emulated binary is slower by an order of magnitude; the tests' own deadlines scale with NOUND_SLOWNESS.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Time limits are judged with margins for two files at once on two cores, not for more.
          maxWorkers: 2,
          // A test that needs a second try has found something: let it say so.
          retry: 0,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
