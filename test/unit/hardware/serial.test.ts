import { beforeEach, expect, test } from "vitest";
import { openSerial } from "../../../ts/nound.ts";
import { advance, reset, serialLine } from "../../../ts/testing.ts";

const path = "/dev/ttyS1";

beforeEach(reset);

test("a port is opened with eight data bits, no parity, one stop bit and no flow control", () => {
  openSerial(path, { baudRate: 9_600 });
  expect(serialLine(path).settings).toEqual({
    baudRate: 9_600,
    dataBits: 8,
    parity: "none",
    stopBits: 1,
    flowControl: "none",
    rs485: false,
  });
});

test("a question is answered by the next line, without its line end", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  const line = serialLine(path);
  line.onBytes = (bytes) => {
    if (bytes === "T?\n") line.send("21.5\r\n22.0\r\n");
  };
  expect(await port.ask("T?\n", 500)).toBe("21.5");
  expect(await port.readLine(500)).toBe("22.0");
});

test("a line may come in pieces", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  const answer = port.readLine(500);
  for (const byte of "21.5\n") serialLine(path).send(byte);
  expect(await answer).toBe("21.5");
});

test("what came before a question does not answer it", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  serialLine(path).send("late\n");
  const answer = port.ask("T?\n", 500);
  serialLine(path).send("21.5\n");
  expect(await answer).toBe("21.5");
});

test("a question that nobody answers in time fails, and the next may be asked", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  const first = port.ask("T?\n", 500);
  const failure = expect(first).rejects.toThrow("/dev/ttyS1 sent no line within 500 ms");
  await advance(500);
  await failure;
  const second = port.ask("T?\n", 500);
  serialLine(path).send("21.5\n");
  expect(await second).toBe("21.5");
});

test("only one may wait for a line", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  const first = port.readLine(500);
  await expect(port.readLine(500)).rejects.toThrow("another call already waits for a line of /dev/ttyS1");
  serialLine(path).send("21.5\n");
  expect(await first).toBe("21.5");
});

test("who listens to bytes gets all of them", () => {
  const port = openSerial(path, { baudRate: 9_600 });
  let bytes = "";
  port.onBytes = (more) => {
    bytes += more;
  };
  serialLine(path).send("\x00\xff\n");
  expect(bytes).toBe("\x00\xff\n");
});

test("of what nobody reads the last 4096 bytes are kept", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  serialLine(path).send(`${"x".repeat(10_000)}\n`);
  expect((await port.readLine(500)).length).toBe(4_095);
});

test("an unplugged device ends the wait for a line, is reported, and accepts nothing more", async () => {
  const port = openSerial(path, { baudRate: 9_600 });
  let isGone = false;
  port.onGone = () => {
    isGone = true;
  };
  const failure = expect(port.readLine(500)).rejects.toThrow("/dev/ttyS1 is gone");
  serialLine(path).unplug();
  await failure;
  expect(isGone).toBe(true);
  await port.write("x");
  expect(serialLine(path).take()).toBe("");
  await expect(port.readLine(500)).rejects.toThrow("/dev/ttyS1 is closed");
});

test("a device is one program's alone, until it is closed", () => {
  const port = openSerial(path, { baudRate: 9_600 });
  expect(() => openSerial(path, { baudRate: 9_600 })).toThrow("another program has it");
  port.close();
  port.close();
  openSerial(path, { baudRate: 9_600 });
});

test("text beyond bytes is refused", () => {
  const port = openSerial(path, { baudRate: 9_600 });
  expect(() => port.write("21.5 \u2103")).toThrow(RangeError);
});
