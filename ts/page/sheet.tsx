/** A dialog that the browser's Back closes. */
import { Component, createRef } from "./dom/component.ts";
import type { Child } from "./dom/jsx-runtime.ts";
import { Icon } from "./icons.tsx";
import { say } from "./say.ts";

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: Child;
}

export class Sheet extends Component<SheetProps> {
  private readonly dialog = createRef<HTMLDialogElement>();

  override componentDidMount(): void {
    this.dialog.current?.showModal();
  }

  /** Gives the focus back to where it was. */
  override componentWillUnmount(): void {
    this.dialog.current?.close();
  }

  render({ title, onClose, children }: SheetProps) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
      <dialog
        ref={this.dialog}
        aria-labelledby="detail"
        onCancel={(event) => {
          event.preventDefault();
          onClose();
        }}
        onClick={({ target, currentTarget }) => {
          // The ground behind the dialog is a part of it.
          if (target === currentTarget) onClose();
        }}
      >
        <div class="sheet">
          <header>
            <h2 id="detail" dir="auto">
              {title}
            </h2>
            <button type="button" class="square" aria-label={say("close")} onClick={onClose}>
              <Icon name="cross" />
            </button>
          </header>
          {children}
        </div>
      </dialog>
    );
  }
}
