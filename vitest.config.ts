/**
 * The suites: `unit` runs the core on Node, `packaging` the packages' scripts on stubs of their distributions, `e2e`
 * starts the built binary and speaks to it over sockets, `board` runs the ARM binary on emulated boards, `targets`
 * judges the binary of every target, `release` what `npm run dist` made, `systems` the packages in the distributions
 * themselves, `workbench` uses the tool of who writes an application, `tutorial` types docs/tutorial.md.
 */
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patience } from "./test/harness/patience.ts";
import { needPackages } from "./tools/build/packages.mjs";

needPackages("test");

// The files of the tests are root's to trust, whatever those may do that root makes. The workers inherit it.
process.umask(0o022);

/** On Node the C modules are their simulated twins. */
const simulatedModules = {
  find: /^nound:(\w+)$/,
  replacement: fileURLToPath(new URL("ts/native/simulated/modules/$1.ts", import.meta.url)),
};

/**
 * Must exceed every timeout inside a test, so that the inner timeout reports its own reason, and the longest
 * compilation.
 */
const patient = { testTimeout: 6 * patience, hookTimeout: 6 * patience } as const;

/**
 * The order of the files. With `--sequence.shuffle.files`, it follows from the seed and the paths alone: vitest's own
 * shuffles what the disk happened to list, so that the same seed gives another order.
 */
class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    if (!process.argv.includes("--sequence.shuffle.files")) return super.sort(files);
    const places = files.map((file) => {
      const path = `${file.project.name} ${relative(this.ctx.config.root, file.moduleId)}`;
      return [createHash("sha256").update(`${seed} ${path}`).digest("hex"), file] as const;
    });
    return places.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, file]) => file);
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: FileOrder },
    projects: [
      {
        resolve: { alias: [simulatedModules] },
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
          ...patient,
          // The files share no state, and a worker for each would cost three times what the tests do.
          isolate: false,
          pool: "threads",
          sequence: { groupOrder: 0 },
        },
      },
      {
        // As an application's author has them: build/package is made by `npm ci`.
        resolve: {
          alias: [
            { find: /^nound$/, replacement: fileURLToPath(new URL("build/package/nound.js", import.meta.url)) },
            {
              find: /^nound\/testing$/,
              replacement: fileURLToPath(new URL("build/package/testing.js", import.meta.url)),
            },
          ],
        },
        test: {
          name: "examples",
          include: ["examples/*/test/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/examples/setup.ts",
          setupFiles: "build/package/global-timers.js",
          ...patient,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve: { alias: [simulatedModules] },
        test: {
          name: "packaging",
          include: ["test/packaging/**/*.test.ts"],
          environment: "node",
          ...patient,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/e2e/setup.ts",
          setupFiles: "test/e2e/awaited.ts",
          ...patient,
          // The files share no state, and a process for each costs a sixth of what all of them take.
          isolate: false,
          // Each file has programs under test and clients besides, and waits for them half of its time.
          maxWorkers: 3,
          // A test that needs a second try has found something: let it say so.
          retry: 0,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "workbench",
          include: ["test/workbench/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/e2e/setup.ts",
          ...patient,
          maxWorkers: 2,
          retry: 0,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "tutorial",
          include: ["test/tutorial/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/tutorial/setup.ts",
          ...patient,
          // Each command stands on those before it.
          bail: 1,
          retry: 0,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: "board",
          include: ["test/board/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/board/setup.ts",
          ...patient,
          maxWorkers: 2,
          retry: 0,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "targets",
          include: ["test/targets/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/targets/setup.ts",
          ...patient,
          retry: 0,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: "release",
          include: ["test/release/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/targets/setup.ts", "test/release/setup.ts"],
          ...patient,
          maxWorkers: 2,
          retry: 0,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: "systems",
          include: ["test/systems/**/*.test.ts"],
          environment: "node",
          // Each builds or boots a system.
          fileParallelism: false,
          ...patient,
          retry: 0,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
});
