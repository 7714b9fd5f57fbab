/** The limits of the stock program that are constants, which tests set otherwise. */

const configured = ["maxConnections", "tlsConnections", "maxStreams", "bodyBytes", "nounTimeout", "memoryBytes"];

/** A configuration, with or without limits. */
type Limited = { readonly [key: string]: unknown } | { readonly limits?: object };

/** @returns the configuration with the limits that it may have, and the environment that sets the others. */
export function withConstants<C extends Limited>(
  configuration: C,
): { readonly written: C; readonly environment: { readonly [name: string]: string } } {
  const entries = Object.entries((configuration as { readonly limits?: object }).limits ?? {});
  const constants = entries.filter(([name]) => !configured.includes(name));
  if (constants.length === 0) return { written: configuration, environment: {} };
  const limits = Object.fromEntries(entries.filter(([name]) => configured.includes(name)));
  return {
    written: { ...configuration, limits },
    environment: { NOUND_LIMITS: JSON.stringify(Object.fromEntries(constants)) },
  };
}
