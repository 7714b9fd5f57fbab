import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedNet } from "../../../ts/native/simulated/net.ts";
import type { Noun } from "../../../ts/noun/noun.ts";
import type { State } from "../../../ts/noun/state.ts";
import { ValueNoun } from "../../../ts/nouns/value-noun.ts";
import { Server } from "../../../ts/server/server.ts";

const put = (body: string, more = "") =>
  `PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A noun whose state is one object that it changes in place, which the contract does not forbid. */
class ChangingNoun implements Noun {
  private readonly state = { count: 0 };
  getState(): State {
    this.state.count += 1;
    return this.state;
  }
  setState(): State {
    return this.state;
  }
  updateState(): State {
    throw new Error("always");
  }
  deleteState(): Promise<State> {
    return Promise.resolve(this.state);
  }
}

function serve() {
  const net = new SimulatedNet();
  const clock = new SimulatedClock();
  const server = new Server({ net, clock });
  server.register("led", new ValueNoun({ default: { led: 0 } }));
  server.register("changing", new ChangingNoun());
  server.listen("a:1");
  return { net, clock, server };
}

describe("a request that was seen before", () => {
  test("reaches the noun each time", () => {
    const peer = serve().net.connect("a:1");
    const bodies = Array.from({ length: 4 }, () => {
      peer.send(get("changing"));
      return peer.take().split("\r\n\r\n")[1];
    });
    expect(bodies).toEqual(['{"count":1}', '{"count":2}', '{"count":3}', '{"count":4}']);
  });

  test("sets the state each time, whatever was set in between", () => {
    const peer = serve().net.connect("a:1");
    for (const body of ['{"a":1}', '{"a":1}', '{"b":2}', '{"a":1}', '{"b":2}']) {
      peer.send(put(body));
      peer.take();
      peer.send(get("led"));
      expect(peer.take().split("\r\n\r\n")[1]).toBe(body);
    }
  });

  test("is not found any more once its noun is unregistered, and finds the new one once that is registered", () => {
    const { net, server } = serve();
    const peer = net.connect("a:1");
    for (let times = 0; times < 3; times++) peer.send(get("led"));
    peer.take();
    server.unregister("led");
    peer.send(get("led"));
    expect(peer.take()).toMatch(/^HTTP\/1\.1 404 /);
    server.register("led", new ValueNoun({ default: { another: true } }));
    peer.send(get("led"));
    expect(peer.take().split("\r\n\r\n")[1]).toBe('{"another":true}');
  });

  test("is answered with 500 each time its noun throws, and the connection goes on", async () => {
    const peer = serve().net.connect("a:1");
    const post = "POST /changing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    for (let times = 0; times < 3; times++) {
      peer.send(post);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      expect(peer.take()).toMatch(/^HTTP\/1\.1 500 /);
    }
    expect(peer.closed).toBe(false);
  });

  test("is not one of two that came in one read", () => {
    const peer = serve().net.connect("a:1");
    for (let times = 0; times < 3; times++) {
      peer.send(put('{"n":1}') + put('{"n":2}'));
      expect(peer.take().match(/\{"n":[12]\}/g)).toEqual(['{"n":1}', '{"n":2}']);
    }
  });

  test("closes the connection each time it asks for that", () => {
    const { net } = serve();
    for (let times = 0; times < 3; times++) {
      const peer = net.connect("a:1");
      peer.send(put('{"n":1}', "Connection: close\r\n"));
      expect(peer.take()).toContain("\r\nConnection: close\r\n");
      expect(peer.closed).toBe(true);
    }
  });

  test("still has its idle time afterwards, and no more", () => {
    const { net, clock } = serve();
    const peer = net.connect("a:1");
    for (let times = 0; times < 5; times++) {
      peer.send(get("led"));
      clock.advance(59_000);
      expect(peer.closed).toBe(false);
    }
    clock.advance(1_100);
    expect(peer.closed).toBe(true);
  });

  test("is answered as a server that never saw it answers, in any order of requests and any slices", () => {
    const request = fc.constantFrom(
      get("led"),
      get("LED"),
      get("nothing"),
      put('{"a":1}'),
      put('{"b":"x"}'),
      put('{"b":[1]}'),
      put('{"a":1}', "Expect: 100-continue\r\n"),
      put('{"a":1}').replace("application/json", "text/plain"),
      'POST /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"c":3}',
      "DELETE /led HTTP/1.1\r\nHost: a\r\n\r\n",
      "HEAD /led HTTP/1.1\r\nHost: a\r\n\r\n",
      `\r\n${get("led")}`,
      get("led") + get("led"),
      get("led").slice(0, 20),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ request, cut: fc.nat(200) }), { maxLength: 20 }), (steps) => {
        // The same bytes: to the one server as they are, to the other so cut that no read is ever a whole request.
        const whole = serve().net.connect("a:1");
        const cut = serve().net.connect("a:1");
        for (const step of steps) {
          whole.send(step.request);
          const at = 1 + (step.cut % (step.request.length - 1));
          cut.send(step.request.slice(0, at));
          cut.send(step.request.slice(at));
        }
        expect(whole.received).toBe(cut.received);
        expect(whole.closed).toBe(cut.closed);
      }),
      { numRuns: 300 },
    );
  });
});
