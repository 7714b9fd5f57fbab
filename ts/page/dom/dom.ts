/**
 * Puts a description of elements into the document, and changes what differs from the one before. Elements with the
 * same key, or at the same place, stay, with their focus and what a person has typed.
 */
import type { Component } from "./component.ts";
import type { Child, ComponentClass, ComponentFunction, Node, Props, Ref } from "./jsx-runtime.ts";

type Kids = readonly (Node | undefined)[];

/** What is set as a property, because the attribute is only its first value. */
const properties = new Set(["value", "checked", "indeterminate", "disabled", "open", "tabIndex"]);

/** Called once all elements are in the document. */
let mounted: (() => void)[] = [];

/** @returns a child as a description; a list in a list stays together. */
function nodeOf(child: Child): Node | undefined {
  if (child === undefined || child === null || typeof child === "boolean") return undefined;
  if (Array.isArray(child)) return { type: undefined, props: { children: child }, key: undefined };
  return typeof child === "object" ? (child as Node) : { type: "", props: { text: String(child) }, key: undefined };
}

/** @returns what an element, a component, a function or a list contains. */
function kidsOf({ type, props, instance }: Node): Kids {
  const child =
    instance !== undefined
      ? instance.render(instance.props, instance.state)
      : typeof type === "function"
        ? (type as ComponentFunction)(props as never)
        : (props["children"] as Child);
  return (Array.isArray(child) ? (child as readonly Child[]) : [child]).map(nodeOf);
}

function setProperty(element: Element, name: string, value: unknown, before: unknown): void {
  const target = element as unknown as Record<string, unknown>;
  if (properties.has(name)) {
    // A person may have changed it meanwhile.
    const isLive = name === "value" || name === "checked";
    if (value !== (isLive ? target[name] : before)) target[name] = value ?? (name === "value" ? "" : false);
  } else if (value !== before && name !== "children" && name !== "ref") {
    if (name.startsWith("on")) target[name.toLowerCase()] = value;
    else if (name === "style") Object.assign((element as HTMLElement).style, value);
    else if (value === undefined || (value === false && !name.startsWith("aria-"))) element.removeAttribute(name);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

function setProperties(element: Element, props: Props, before: Props): void {
  for (const name of Object.keys(before)) if (!(name in props)) setProperty(element, name, undefined, before[name]);
  const { value } = props;
  for (const name of Object.keys(props)) if (name !== "value") setProperty(element, name, props[name], before[name]);
  // A value must be within its limits, which therefore come first.
  if ("value" in props) setProperty(element, "value", value, before["value"]);
}

/** @param parent the element that it is in. */
function mount(node: Node, parent: Node): void {
  const { type, props } = node;
  if (type === "") {
    node.dom = document.createTextNode(String(props["text"]));
  } else if (typeof type === "string") {
    const isDrawn = type === "svg" || parent.dom instanceof SVGElement;
    const element = isDrawn
      ? document.createElementNS("http://www.w3.org/2000/svg", type)
      : document.createElement(type);
    node.dom = element;
    changeKids(node, [], node);
    setProperties(element, props, {});
    const ref = props["ref"] as Ref<Element> | undefined;
    if (ref !== undefined) mounted.push(() => (node.leave = ref(element)));
  } else if (type?.prototype !== undefined && "render" in type.prototype) {
    const instance = new (type as ComponentClass)(props as never);
    node.instance = instance;
    instance.node = node;
    instance.parent = parent;
    changeKids(node, [], parent);
    mounted.push(() => instance.componentDidMount());
  } else {
    changeKids(node, [], parent);
  }
}

/** @param isInside whether an element around it leaves the document, so it need not. */
function unmount(node: Node, isInside: boolean): void {
  const { dom, kids = [], instance } = node;
  instance?.componentWillUnmount();
  if (instance !== undefined) instance.node = undefined;
  node.leave?.();
  for (const kid of kids) if (kid !== undefined) unmount(kid, isInside || dom !== undefined);
  if (!isInside) dom?.remove();
}

/** Brings the elements of a list into their order, moving as few as possible. @returns the place behind the last. */
function order(parent: Element, kids: Kids, first: ChildNode | null): ChildNode | null {
  let next = first;
  for (const kid of kids) {
    if (kid?.dom === undefined) next = order(parent, kid?.kids ?? [], next);
    else if (kid.dom === next) next = next.nextSibling;
    else parent.insertBefore(kid.dom, next);
  }
  return next;
}

function place({ dom, kids = [] }: Node): void {
  if (dom instanceof Element) order(dom, kids, dom.firstChild);
}

/** Makes a description that was in the document into another one of the same type. */
function change(now: Node, before: Node, parent: Node): void {
  if (now === before) return;
  const { props } = now;
  const { dom, instance, kids = [] } = before;
  now.leave = before.leave;
  if (dom !== undefined) now.dom = dom;
  if (dom instanceof Text) {
    if (props["text"] !== before.props["text"]) dom.data = String(props["text"]);
  } else if (dom instanceof Element) {
    changeKids(now, kids, now);
    setProperties(dom, props, before.props);
  } else if (instance === undefined) {
    changeKids(now, kids, parent);
  } else {
    now.instance = instance;
    instance.node = now;
    instance.parent = parent;
    instance.componentWillReceiveProps();
    const isDrawn = instance.shouldComponentUpdate(props);
    instance.props = props;
    if (isDrawn) changeKids(now, kids, parent);
    else now.kids = kids;
  }
}

/** @param before what it contained; nothing for a new one. */
function changeKids(node: Node, before: Kids, parent: Node): void {
  const kids = kidsOf(node);
  node.kids = kids;
  const left = new Set(before);
  const keyed = new Map(before.map((kid) => [kid?.key, kid] as const));
  const pairs = kids.map((kid, index) => {
    const old = kid?.key === undefined ? before[index] : keyed.get(kid.key);
    const isSame = kid !== undefined && old !== undefined && old.type === kid.type && old.key === kid.key;
    return [kid, isSame && left.delete(old) ? old : undefined] as const;
  });
  for (const old of left) if (old !== undefined) unmount(old, false);
  for (const [kid, old] of pairs) {
    if (kid === undefined) continue;
    if (old === undefined) mount(kid, parent);
    else change(kid, old, parent);
  }
  if (parent === node) place(node);
}

function finish(): void {
  const calls = mounted;
  mounted = [];
  for (const call of calls) call();
}

/** What is drawn later, by what it is of; undefined if all is drawn at once. */
let held: Map<unknown, () => void> | undefined;

/** From now on, the document stays as it is. */
export function hold(): void {
  held ??= new Map();
}

/** Draws what has waited, and all else at once. */
export function letGo(): void {
  const waiting = held?.values() ?? [];
  held = undefined;
  for (const call of waiting) call();
}

/** Draws a component again. */
export function update(instance: Component): void {
  if (held !== undefined) {
    held.set(instance, () => update(instance));
    return;
  }
  const { node, parent } = instance;
  if (node === undefined || parent === undefined) return;
  changeKids(node, node.kids ?? [], parent);
  place(parent);
  finish();
}

let root: Node | undefined;

/** Draws the page into the document's body. */
export function render(child: Child): void {
  if (held !== undefined) {
    held.set(render, () => render(child));
    return;
  }
  const now: Node = { type: "body", props: { children: child }, key: undefined, dom: document.body };
  if (root === undefined) document.body.replaceChildren();
  changeKids(now, root?.kids ?? [], now);
  root = now;
  finish();
}
