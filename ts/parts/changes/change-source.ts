/** The changes that one client follows. */
import { mayRead, type Scope } from "../../core/access/admission.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import type { LineSource } from "../streams/part.ts";
import type { ChangePlace, Changes } from "./changes.ts";

/** @param scope what the client's token allows. */
export function changeSource(changes: Changes, nouns: NounDirectory, scope: Scope | undefined): LineSource {
  /** The end of the list that was told. */
  let last: ChangePlace | undefined;
  return {
    get isAllowed(): boolean {
      return scope === undefined || Array.from(nouns.all()).some(({ name }) => mayRead(scope, name));
    },
    next: () => {
      const lines = changes.lines(scope, last);
      last = changes.last;
      return lines;
    },
    listen: (changed) => changes.listen(changed),
  };
}
