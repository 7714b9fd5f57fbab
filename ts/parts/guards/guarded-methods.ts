/**
 * The methods of a noun that change it, while something else judges each call: requests, commands, rules, leases and an
 * author's code all call them. All guarded nouns share three functions, which find their guard on the noun.
 *
 *     guardMethods(noun, member); // noun.setState(state) calls member.change("PUT", state, noun, method)
 *     releaseMethods(noun, member);
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

const guardedBy = Symbol("guardedBy");

interface GuardedNoun extends Noun {
  readonly [guardedBy]?: MethodGuard;
}

/** The methods that nouns have of their own, and not of their class: few do. */
const ownMethods = new WeakMap<Noun, ReadonlyMap<MethodName, PropertyDescriptor>>();

/** Two guards of one noun, which is registered under two names. */
class TwoGuards implements MethodGuard {
  readonly first: MethodGuard;
  readonly second: MethodGuard;

  constructor(first: MethodGuard, second: MethodGuard) {
    this.first = first;
    this.second = second;
  }

  get name(): string {
    return this.second.name;
  }

  change(verb: Changing, state: State, noun: Noun, method: Method): Awaitable<State> {
    const { first } = this;
    return this.second.change(verb, state, noun, (inner) => first.change(verb, inner, noun, method));
  }
}

/** @returns the guard that is left of a noun's; undefined if none is. */
function without(guards: MethodGuard | undefined, guard: MethodGuard): MethodGuard | undefined {
  if (guards === guard) return undefined;
  if (!(guards instanceof TwoGuards)) return guards;
  const { second } = guards;
  const first = without(guards.first, guard);
  if (second === guard) return first;
  return first === undefined ? second : new TwoGuards(first, second);
}

/** @returns the guarded noun that an object is, or that it inherits from. @throws TypeError for any other. */
function guardedNoun(object: unknown, name: MethodName): GuardedNoun {
  for (let one = object; typeof one === "object" && one !== null; one = Object.getPrototypeOf(one)) {
    if (Object.hasOwn(one, guardedBy)) return one as GuardedNoun;
  }
  throw new TypeError(`${name} of a guarded noun was called without its noun: call it as noun.${name}(state).`);
}

/** @returns the noun's own method, which its guard judges. */
function methodOf(noun: Noun, name: MethodName): Method {
  const own = ownMethods.get(noun)?.get(name);
  if (own === undefined) {
    const parent = Object.getPrototypeOf(noun) as Noun;
    const method = Reflect.get(parent, name, noun) as Method;
    // It inherits from another guarded noun, whose guard judges as that noun's.
    return method === shared[name] ? (state) => method.call(parent, state) : method;
  }
  return (own.get === undefined ? own.value : own.get.call(noun)) as Method;
}

function guarded(name: MethodName): Method {
  return function (this: unknown, state: State = emptyState) {
    const noun = guardedNoun(this, name);
    return (noun[guardedBy] as MethodGuard).change(verbs[name], state, noun, methodOf(noun, name));
  };
}

const shared: { readonly [name in MethodName]: Method } = {
  setState: guarded("setState"),
  updateState: guarded("updateState"),
  deleteState: guarded("deleteState"),
};

function define(noun: Noun, name: MethodName | typeof guardedBy, value: Method | MethodGuard): boolean {
  return Reflect.defineProperty(noun, name, { value, configurable: true, writable: true, enumerable: false });
}

/** Has a guard judge each call, after the guards that judge them already. @throws TypeError when the noun is frozen. */
export function guardMethods(noun: GuardedNoun, guard: MethodGuard): void {
  const before = Object.hasOwn(noun, guardedBy) ? noun[guardedBy] : undefined;
  const own = new Map<MethodName, PropertyDescriptor>();
  for (const name of before === undefined ? names : []) {
    const descriptor = Object.getOwnPropertyDescriptor(noun, name);
    if (descriptor !== undefined) own.set(name, descriptor);
  }
  if (own.size > 0) ownMethods.set(noun, own);
  const isDone =
    define(noun, guardedBy, before === undefined ? guard : new TwoGuards(before, guard)) &&
    names.every((name) => define(noun, name, shared[name]));
  if (!isDone) throw new TypeError(`The noun ${guard.name} cannot be guarded, or named by a guard: it is frozen.`);
}

/** Ends that. A noun that no guard is left of has its own methods back. */
export function releaseMethods(noun: GuardedNoun, guard: MethodGuard): void {
  if (!Object.hasOwn(noun, guardedBy)) return;
  const rest = without(noun[guardedBy], guard);
  if (rest !== undefined) {
    define(noun, guardedBy, rest);
    return;
  }
  for (const name of [...names, guardedBy] as const) Reflect.deleteProperty(noun, name);
  for (const [name, descriptor] of ownMethods.get(noun) ?? []) Object.defineProperty(noun, name, descriptor);
  ownMethods.delete(noun);
}
