/** The types of the C module `nound:script`: runs an application that was not built in. Only the daemon uses it. */

export interface Script {
  /** Collects garbage: what a part of the script needed, once it was used. */
  collect(): void;
  /**
   * Evaluates an ES module in this process, instead of the calling program. From then on, `args` of `nound:system` are
   * its own. It can import the modules `nound:...` and nothing else. What it throws is printed and ends the process
   * with status 70, also when that comes after an `await` at its top level.
   * @param name what it is called in stack traces.
   * @param text the source of the module.
   * @param args the command line that it gets, without a program's name.
   * @throws SyntaxError with the place in its stack; ReferenceError when it imports what is not there. Nothing of it
   * has run then.
   */
  run(name: string, text: string, args: readonly string[]): void;
}
