/** Shows a picture of the page. */
import { type IconName, paths } from "./pictures.ts";

/** A picture. A person who cannot see it needs it no more than another. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
