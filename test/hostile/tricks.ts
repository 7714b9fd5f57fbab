/** What a hostile server does instead of an answer. */
import type { Trick } from "../harness/hostile-device.ts";

const head = "HTTP/1.1 200 OK\r\n";
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

/** A trick with a name for people. */
export interface NamedTrick {
  readonly name: string;
  readonly trick: Trick;
}

/** Bytes, and then others for as long as the client takes them. */
export function saysEndlessly(bytes: string, more: string): Trick {
  const block = Buffer.from(more.repeat(Math.ceil(16_384 / more.length)), "latin1");
  return (socket) => {
    const writeMore = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on("drain", writeMore).write(bytes, "latin1");
    writeMore();
  };
}

/** Answers without an end. */
export const endless: readonly NamedTrick[] = [
  { name: "an endless line", trick: saysEndlessly("HTTP/1.1 200 ", "a") },
  { name: "an endless head", trick: saysEndlessly(head, "X: a\r\n") },
  { name: "endless interim answers", trick: saysEndlessly("", "HTTP/1.1 102 P\r\n\r\n") },
  { name: "an endless body", trick: saysEndlessly(`${head}\r\n`, "a") },
  {
    name: "a body of a gigabyte",
    trick: saysEndlessly(`${head}Content-Length: 1000000000\r\n\r\n`, "a"),
  },
  { name: "endless chunks", trick: saysEndlessly(chunked, "1\r\na\r\n") },
  { name: "an endless chunk", trick: saysEndlessly(`${chunked}ffffff\r\n`, "a") },
  { name: "endless trailers", trick: saysEndlessly(`${chunked}0\r\n`, "X: a\r\n") },
];

/** @param answer that is cut behind each of its bytes, by FIN and by RST. */
export function cutsOf(answer: string): readonly NamedTrick[] {
  return Array.from({ length: answer.length }, (_, length): readonly NamedTrick[] => [
    { name: `an end behind ${length} bytes`, trick: (socket) => void socket.end(answer.slice(0, length)) },
    {
      name: `RST behind ${length} bytes`,
      trick: (socket) => void socket.write(answer.slice(0, length), () => socket.resetAndDestroy()),
    },
  ]).flat();
}

/** A byte a second. @param answer whose bytes they are. */
export function saysSlowly(answer: string): Trick {
  return (socket) => {
    let said = 0;
    const timer = setInterval(() => void socket.write(answer.charAt(said++)), 1_000);
    socket.once("close", () => clearInterval(timer));
  };
}
