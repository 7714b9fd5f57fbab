/**
 * What lives as long as the program: on a device, as long as its process. A test begins the next program in the same
 * process, which has nothing of the one before it.
 *
 *     const own = ofProgram(() => ({ lines: new Map<Line, () => void>() }));
 *     own().lines.clear();
 */

/** The number of the program that runs. */
let program = 1;

/** @param begin makes what a program begins with, when it is first needed. @returns what gives that of the program. */
export function ofProgram<Own>(begin: () => Own): () => Own {
  let owner = 0;
  let own: Own;
  return () => {
    if (owner !== program) {
      owner = program;
      own = begin();
    }
    return own;
  };
}

/** Begins the next program, on a new simulated device. Do not use objects of the one before it. For tests. */
export function beginProgram(): void {
  program += 1;
}
