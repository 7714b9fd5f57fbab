/** Bundles for Node, where there are no C modules. */
import { resolve } from "node:path";

/**
 * @param {string} root the folder that paths are told from.
 * @returns {import("esbuild").Plugin} replaces the C modules by those of ts/native/simulated/modules.
 */
export function simulatedModules(root) {
  return {
    name: "simulated-modules",
    setup({ onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^nound:/ }, ({ path }) => ({
        path: resolve(root, "ts/native/simulated/modules", `${path.slice("nound:".length)}.ts`),
      }));
    },
  };
}
