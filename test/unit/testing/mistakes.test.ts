/** Mistakes of an application's author that the device would refuse: a test refuses them too, by the same sentence. */
import { beforeEach, expect, test, vi } from "vitest";
import {
  defineNoun,
  fetch,
  gpioInputNoun,
  gpioOutputNoun,
  inputNoun,
  openInput,
  openOutput,
  openPwm,
  Server,
  sensorNoun,
} from "../../../ts/nound.ts";
import { otherServer, request, reset } from "../../../ts/testing.ts";

beforeEach(reset);

/** Options as plain JavaScript, which no compiler checks. */
const unchecked = (options: object) => options as never;

test("fetch refuses a server that no reach names", async () => {
  otherServer("192.0.2.10:8080", () => ({ body: { celsius: 3.5 } }));
  await expect(fetch("http://192.0.2.10:8080/cellar")).rejects.toThrow(
    '192.0.2.10:8080 is outside the program\'s reach: add reach: { connect: ["192.0.2.10:8080"] }',
  );
});

test.each(["localhost:8080", "8080", "127.0.0.1"])("listen refuses %s", (address) => {
  expect(() => new Server().listen(address)).toThrow(
    `cannot listen on "${address}": an address is 127.0.0.1:8080, https://[::1]:8443 or unix:/run/nound.sock`,
  );
});

test("a thrown text is shown", async () => {
  const shown = vi.spyOn(console, "error").mockImplementation(() => {});
  const server = new Server();
  server.register(
    "bus",
    defineNoun({
      shape: {},
      get() {
        throw "boom";
      },
    }),
  );
  expect((await request(server, { path: "/bus" })).status).toBe(500);
  expect(shown.mock.calls).toEqual([['bus: a thrown string that is no Error: "boom"']]);
  shown.mockRestore();
});

test.each<[string, () => unknown, string]>([
  [
    "swapped arguments of openPwm",
    () => openPwm(...(unchecked([0, "pwmchip0"]) as [string, number])),
    'A PWM channel is opened by its chip and its number there: openPwm("pwmchip0", 0).',
  ],
  [
    "a misspelt function of a noun",
    () => defineNoun(unchecked({ shape: {}, get: () => ({}), wach: () => () => {} })),
    'A noun has no "wach"; did you mean "watch"?',
  ],
  [
    "a poll of 0",
    () => defineNoun({ shape: {}, get: () => ({}), poll: 0 }),
    "A noun's poll must be a whole number of ms from 10 to 86400000.",
  ],
  [
    "a poll of 0 of a ready-made noun",
    () => new Server().register("cpu", sensorNoun({ device: "cpu", poll: 0 })),
    "A noun's poll must be a whole number of ms from 10 to 86400000.",
  ],
  [
    "a debounce with a unit",
    () => openInput(unchecked({ line: "A", debounce: "5ms" })),
    '"debounce" is a number of ms from 0 to 999, such as 5; it is "5ms".',
  ],
  [
    "a pulse of 0",
    () => gpioOutputNoun({ line: "A", key: "a", pulse: 0 }),
    '"pulse" is a whole number of ms from 1 on, such as 1000; it is 0.',
  ],
  [
    "a lease with a unit",
    () => gpioOutputNoun(unchecked({ line: "A", key: "a", lease: "30s" })),
    '"lease" is a whole number of ms from 1 on, such as 1000; it is "30s".',
  ],
  [
    "a long press with a unit",
    () => gpioInputNoun(unchecked({ line: "A", key: "a", presses: true, longPress: "1s" })),
    '"longPress" is a whole number of ms from 1 on, such as 1000; it is "1s".',
  ],
  [
    "a double press that is not whole",
    () => inputNoun({ device: "keys", code: "KEY_POWER", presses: true, doublePress: 0.5 }),
    '"doublePress" is a whole number of ms from 0 on, such as 1000; it is 0.5.',
  ],
])("%s is refused in a sentence", (_, make, sentence) => {
  expect(make).toThrow(sentence);
});

test("a line that this program has opened already is named as its own", () => {
  const first = openOutput({ line: "GPIO17" });
  expect(() => openInput({ line: "GPIO17" })).toThrow(
    'the GPIO line "GPIO17" is in use by "nound"; this program has opened it: use that line, or close it first',
  );
  first.close();
  openInput({ line: "GPIO17" }).close();
});
