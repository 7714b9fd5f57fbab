/** Nouns registered and unregistered while the server runs. */
import { describe, expect, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { expectProblem, expectState, stateOf } from "../harness/expected-response.ts";
import { startApplication } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";

const application = forAllTests(() => startApplication({ shutdownTimeout: 300 }));
const success = { thrown: "", message: "" };

async function change(request: State): Promise<State> {
  const connection = await RawConnection.open(application().address);
  connection.send(post("/registry", request));
  const state = stateOf(await connection.response());
  connection.drop();
  return state;
}

test("a noun is served from its registration to its removal, also to a client that was connected before", async () => {
  const connection = await RawConnection.open(application().address);
  connection.send(get("/guest"));
  expectProblem(await connection.response(), 404, "keep");
  expect(await change({ register: "guest" })).toEqual(success);
  connection.send(get("/guest") + put("/GUEST", { a: 1 }));
  expectState(await connection.response(), { registered: true });
  expectState(await connection.response(), { a: 1 });
  expect(await change({ unregister: "guest" })).toEqual(success);
  connection.send(get("/guest"));
  expectProblem(await connection.response(), 404, "keep");
});

test("a noun that was removed may come back, with a state of its own", async () => {
  const connection = await RawConnection.open(application().address);
  expect(await change({ register: "again" })).toEqual(success);
  connection.send(put("/again", { a: 1 }));
  expectState(await connection.response(), { a: 1 });
  expect(await change({ unregister: "again", register: "again" })).toEqual(success);
  connection.send(get("/again"));
  expectState(await connection.response(), { registered: true });
});

test("a noun can be registered and removed within one pipeline", async () => {
  const connection = await RawConnection.open(application().address);
  connection.send(
    post("/registry", { register: "brief" }) +
      get("/brief") +
      post("/registry", { unregister: "brief" }) +
      get("/brief"),
  );
  expectState(await connection.response(), success);
  expectState(await connection.response(), { registered: true });
  expectState(await connection.response(), success);
  expectProblem(await connection.response(), 404, "keep");
});

describe("registering", () => {
  test.each(["", "a/b", "a b", "größe", "a%20b", "a?b", "a\nb", "a".repeat(65), "a:b", "a+b", "a@b", "a,b"])(
    "refuses the name %j by throwing",
    async (name) => {
      const { thrown, message } = await change({ register: name });
      expect(String(thrown)).toMatch(/Error$/);
      expect(String(message).length).toBeGreaterThan(20);
    },
  );

  test.each(["a", "UPPER", "a".repeat(64), "0", "a.b_c~d-e", "constructor", "__proto__", "hasownproperty"])(
    "takes the name %j",
    async (name) => {
      expect(await change({ register: name })).toEqual(success);
      const connection = await RawConnection.open(application().address);
      connection.send(get(`/${name.toLowerCase()}`) + get(`/${name.toUpperCase()}`));
      expectState(await connection.response(), { registered: true });
      expectState(await connection.response(), { registered: true });
      expect(await change({ unregister: name })).toEqual(success);
      connection.send(get(`/${name}`));
      expectProblem(await connection.response(), 404, "keep");
    },
  );

  test("an object that lacks operations throws a TypeError that names them, and registers nothing", async () => {
    const { thrown, message } = await change({ registerIncomplete: "incomplete" });
    expect(thrown).toBe("TypeError");
    expect(
      String(message)
        .split(/missing|lacks/)
        .at(-1),
    ).toMatch(/updateState.*deleteState/);
    expect(
      String(message)
        .split(/missing|lacks/)
        .at(-1),
    ).not.toMatch(/getState|setState/);
    const connection = await RawConnection.open(application().address);
    connection.send(get("/incomplete"));
    expectProblem(await connection.response(), 404, "keep");
  });
});

test("a thousand nouns are served, each with its own state", async () => {
  const connection = await RawConnection.open(application().address);
  const numbers = Array.from({ length: 1_000 }, (_, number) => number);
  connection.send(numbers.map((number) => get(`/number-${number}`)).join(""));
  for (const number of numbers) {
    expectState(await connection.response(), { number });
  }
  connection.send(put("/number-7", { a: 1 }) + get("/number-8") + get("/number-1000"));
  expectState(await connection.response(), { a: 1 });
  expectState(await connection.response(), { number: 8 });
  expectProblem(await connection.response(), 404, "keep");
});
