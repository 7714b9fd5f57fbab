/** A part of the page with a state of its own. */
import { update } from "./dom.ts";
import type { Child, Node } from "./jsx-runtime.ts";

/** What it draws depends on its properties and its state alone. */
export abstract class Component<P = object, S = object> {
  props: Readonly<P>;
  state: Readonly<S> = {} as S;
  /** Its description, and the element that it is in. */
  node: Node | undefined;
  parent: Node | undefined;
  private isDue = false;

  constructor(props: P) {
    this.props = props;
  }

  abstract render(props: Readonly<P>, state: Readonly<S>): Child;

  /** Changes a part of the state, and draws it again soon. */
  setState(part: Partial<S>): void {
    this.state = { ...this.state, ...part };
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (this.node !== undefined) update(this as Component);
    });
  }

  /** Whether it must be drawn again with other properties. */
  shouldComponentUpdate(_props: Readonly<P>): boolean {
    return true;
  }
  /** Called once its elements are in the document. */
  componentDidMount(): void {}
  componentWillReceiveProps(): void {}
  componentWillUnmount(): void {}
}
