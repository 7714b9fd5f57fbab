/** What a JavaScript engine computes, whatever the processor: a name, how to compute it, and what comes out as JSON. */
export type Check = readonly [name: string, compute: () => unknown, expected: unknown];
