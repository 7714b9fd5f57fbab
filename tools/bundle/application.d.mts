import type { bundleOptions } from "./options.mjs";

export const applicationOptions: typeof bundleOptions;
