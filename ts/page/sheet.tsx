/** A dialog that the browser's Back closes. */
import type { Child } from "./dom/jsx-runtime.ts";
import { Icon } from "./icons.tsx";
import { say } from "./say.ts";

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: Child;
}

export function Sheet({ title, onClose, children }: SheetProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={(dialog) => {
        dialog.showModal();
        // Closing it gives the focus back to where it was.
        return () => dialog.close();
      }}
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
