import fc from "fast-check";
import { expect, test } from "vitest";
import { EventParser } from "../../../ts/page/event-parser.ts";

test("a stream of this server becomes the data of its events, however it is cut", () => {
  const event = fc.record({ id: fc.stringMatching(/^[0-9a-f-]{0,8}$/), data: fc.json({ maxDepth: 1 }) });
  const pieces = fc.tuple(fc.array(event), fc.array(fc.nat(200)));
  fc.assert(
    fc.property(pieces, ([events, cuts]) => {
      const text = `retry: 2000\n:\n${events.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n:\n`).join("")}`;
      const parser = new EventParser();
      const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
      const found = places.flatMap((place, index) => parser.feed(text.slice(place, places[index + 1] ?? text.length)));
      expect(found).toEqual(events.map(({ data }) => data));
    }),
  );
});

test("data of several lines has line ends between them", () => {
  expect(new EventParser().feed("data: a\r\ndata:b\r\ndata:  c\n\n")).toEqual(["a\nb\n c"]);
});

test("an event is not told before it is complete", () => {
  const parser = new EventParser();
  expect(parser.feed("data: a\n")).toEqual([]);
  expect(parser.feed("\n")).toEqual(["a"]);
});
