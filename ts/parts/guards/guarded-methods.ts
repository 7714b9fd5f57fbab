/**
 * The methods of a noun that change it, while something else judges each call: requests, commands, rules, leases and an
 * author's code all call them.
 *
 *     const methods = new GuardedMethods([noun]);
 *     methods.guardBy(member); // noun.setState(state) calls member.change("PUT", state, noun, method)
 *     methods.release();
 */
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import type { Changing } from "../../core/noun/noun-traits.ts";
import { emptyState, type State } from "../../core/noun/state.ts";

const verbs = { setState: "PUT", updateState: "POST", deleteState: "DELETE" } as const;
type MethodName = keyof typeof verbs;
const names = Object.keys(verbs) as readonly MethodName[];

/** A method of a noun that changes it. */
export type Method = (this: Noun, state: State) => Awaitable<State>;

/** What is called in place of a noun's methods. */
export interface MethodGuard {
  /** The name of the noun. */
  readonly name: string;
  /** @param method that of the noun itself. */
  change(verb: Changing, state: State, noun: Noun, method: Method): Awaitable<State>;
}

export class GuardedMethods {
  private nouns: readonly Noun[];
  /** The methods that nouns had of their own, and not of their class. */
  private own: readonly (readonly [noun: Noun, name: MethodName, descriptor: PropertyDescriptor])[] = [];

  /** @param nouns each may be there twice. */
  constructor(nouns: Iterable<Noun>) {
    this.nouns = Array.from(new Set(nouns));
  }

  /** @throws TypeError when a noun is frozen. */
  guardBy(guard: MethodGuard): void {
    for (const noun of this.nouns) {
      for (const name of names) {
        const own = Object.getOwnPropertyDescriptor(noun, name);
        if (own !== undefined) this.own = [...this.own, [noun, name, own]];
      }
    }
    for (const noun of this.nouns) for (const name of names) this.replace(noun, name, guard);
  }

  private replace(noun: Noun, name: MethodName, guard: MethodGuard): void {
    const original = noun[name] as Method;
    const value = (state: State = emptyState) => guard.change(verbs[name], state, noun, original);
    if (!Reflect.defineProperty(noun, name, { value, configurable: true, writable: true, enumerable: false })) {
      throw new TypeError(`The noun ${guard.name} cannot be guarded, or named by a guard: it is frozen.`);
    }
  }

  /** Gives the nouns their own methods back, once. */
  release(): void {
    for (const noun of this.nouns) for (const name of names) Reflect.deleteProperty(noun, name);
    for (const [noun, name, own] of this.own) Object.defineProperty(noun, name, own);
    this.nouns = [];
    this.own = [];
  }
}
