/**
 * What the compiler makes of JSX: a description of elements, which `render` of dom.ts puts into the document. Texts
 * become text nodes and attributes, never markup.
 */
import type { Component } from "./component.ts";

/** What an element or a component contains. */
export type Child = Node | string | number | boolean | null | undefined | readonly Child[];

/** Any properties, which the element or the component knows. */
export type Props = { readonly [name: string]: unknown };

export type ComponentClass = new (props: never) => Component;
export type ComponentFunction = (props: never) => Child;

/** A described element, component, text or list, and what it is in the document. */
export interface Node {
  /** A list has none, and a text is "". */
  readonly type: string | ComponentClass | ComponentFunction | undefined;
  readonly props: Props;
  readonly key: string | undefined;
  dom?: Element | Text;
  /** What it contains in the document. */
  kids?: readonly (Node | undefined)[];
  instance?: Component;
  /** Called when its element leaves the document. */
  leave?: (() => void) | undefined;
}

/** Called once the element is in the document. @returns what is called when it leaves. */
export type Ref<E> = (element: E) => (() => void) | undefined;

export function jsx(type: Node["type"], props: Props, key?: string | number): Node {
  return { type, props, key: key === undefined ? undefined : String(key) };
}

export const jsxs = jsx;

/** A list, which has no element of its own. */
export const Fragment = undefined;

/** All events of the browser: `onClick`, `onPointermove`. */
type Handlers<T> = {
  [Name in keyof GlobalEventHandlersEventMap as `on${Capitalize<Name>}`]?: (
    event: GlobalEventHandlersEventMap[Name] & { readonly currentTarget: T },
  ) => void;
};

type Value = string | number | boolean | undefined;

/** Attributes and properties of an element. */
type Attributes<T> = Handlers<T> & {
  key?: string | number;
  ref?: Ref<T>;
  children?: Child;
  style?: Readonly<Record<string, string>>;
  [name: `aria-${string}`]: Value;
} & { [name in AttributeName]?: Value };

type AttributeName = Words<
  | "autocomplete checked class d dir disabled for height href id indeterminate max min open"
  | "points preserveAspectRatio role step tabIndex title type value viewBox width"
>;

/** The words of a text, as types. */
type Words<Text extends string> = Text extends `${infer First} ${infer Others}` ? First | Words<Others> : Text;

export namespace JSX {
  export type Element = Node;
  export type ElementType = string | ComponentClass | ComponentFunction;
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicAttributes {
    key?: string | number;
  }
  export interface ElementAttributesProperty {
    props: unknown;
  }
  export type IntrinsicElements = {
    [Tag in keyof HTMLElementTagNameMap]: Attributes<HTMLElementTagNameMap[Tag]>;
  } & { [Tag in "svg" | "path" | "polyline"]: Attributes<SVGElement> };
}
