/** A group of tiles, which a person may fold. */

import { Ask } from "./ask.tsx";
import { Component } from "./dom/component.ts";
import type { Child } from "./dom/jsx-runtime.ts";
import { keepFolding, keptFolding } from "./kept.ts";
import { switchOff } from "./lit.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";

interface GroupProps {
  readonly title: string;
  readonly isFolded: boolean;
  /** Whether it is open whatever a person has folded. */
  readonly isForced: boolean;
  /** What is on in it, and may go off together. */
  readonly lit: readonly NounView[];
  readonly children: Child;
}

export class GroupOfTiles extends Component<GroupProps, { readonly isOpen: boolean }> {
  override state = { isOpen: !(keptFolding(this.props.title) ?? this.props.isFolded) };

  render({ title, isForced, lit, children }: GroupProps) {
    const isOpen = isForced || this.state.isOpen;
    return (
      <details
        class="group"
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open === isOpen || isForced) return;
          keepFolding(title, !open);
          this.setState({ isOpen: open });
        }}
      >
        <summary>
          <h2 dir="auto">{title}</h2>
        </summary>
        {isOpen && lit.length > 1 && (
          <Ask
            name="off"
            label={say("allOff")}
            spoken={say("ofNoun", say("allOff"), title)}
            question={say("allOffQuestion", lit.map(({ noun }) => noun.title).join(", "))}
            yes={say("switchOff")}
            onYes={() => switchOff(lit)}
          />
        )}
        {isOpen && children}
      </details>
    );
  }
}
