import { describe, expect, test } from "vitest";
import { Answers } from "../../../ts/server/answers.ts";

const response = (json: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\nCache-Control: no-store\r\n\r\n${json}`;

describe("answers", () => {
  test("have the state as JSON and the whole response", () => {
    expect(new Answers().answer({ led: 1 })).toEqual({ json: '{"led":1}', response: response('{"led":1}') });
  });

  test("are prepared once for a frozen state", () => {
    const answers = new Answers();
    const state = Object.freeze({ led: 1 });
    expect(answers.find(state)).toBeUndefined();
    const answer = answers.answer(state);
    expect(answers.find(state)).toBe(answer);
    expect(answers.answer(state)).toBe(answer);
  });

  test("are written anew for a state that can change", () => {
    const answers = new Answers();
    const state = { led: 0 };
    expect(answers.answer(state).json).toBe('{"led":0}');
    state.led = 1;
    expect(answers.find(state)).toBeUndefined();
    expect(answers.answer(state).json).toBe('{"led":1}');
  });

  test("are written anew for a frozen object with an accessor, which may say something else each time", () => {
    const answers = new Answers();
    let reads = 0;
    const state = Object.freeze({
      get led() {
        reads += 1;
        return reads;
      },
    });
    const first = answers.answer(state).json;
    expect(answers.answer(state).json).not.toBe(first);
  });

  test.each([undefined, null, 1, "led", [], [1], { led: [1] }, { led: Number.NaN }, Promise.resolve({})])(
    "are refused or not found for %j",
    (result) => {
      const answers = new Answers();
      expect(answers.find(result)).toBeUndefined();
      if (!(result instanceof Promise)) expect(() => answers.answer(result)).toThrow(TypeError);
    },
  );
});
