/** What happened when, the last one first: a list that a person may fold. */
import { moment } from "./format.ts";

/** A time as the device writes it, what was then, and more of it. */
type Moment = readonly [time: string, what: string, more: string];

export function Moments({ title, list }: { title: string; list: readonly Moment[] }) {
  if (list.length === 0) return null;
  return (
    <details open={true}>
      <summary>{title}</summary>
      <ul>
        {list.map(([time, what, more]) => (
          <li key={time + what} dir="auto">
            {`${moment(time)} `}
            <b>{what}</b>
            {` ${more}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
