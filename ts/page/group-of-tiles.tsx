/** A group of tiles, which a person may fold. */
import { Component } from "./dom/component.ts";
import type { Child } from "./dom/jsx-runtime.ts";
import { keepFolding, keptFolding } from "./kept.ts";

interface GroupProps {
  readonly title: string;
  readonly isFolded: boolean;
  readonly children: Child;
}

export class GroupOfTiles extends Component<GroupProps, { readonly isOpen: boolean }> {
  override state = { isOpen: !(keptFolding(this.props.title) ?? this.props.isFolded) };

  render({ title, children }: GroupProps) {
    const { isOpen } = this.state;
    return (
      <details
        class="group"
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open === isOpen) return;
          keepFolding(title, !open);
          this.setState({ isOpen: open });
        }}
      >
        <summary>
          <h2 dir="auto">{title}</h2>
        </summary>
        {isOpen && children}
      </details>
    );
  }
}
