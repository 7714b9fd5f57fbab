/** A Modbus unit with coils, behind a TCP server or on a pseudoterminal. A test has it refuse, or keep silent. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { Pseudoterminal } from "./pseudoterminal.ts";

const readCoils = 1;
const writeCoil = 5;
const deviceFailure = 4;

/** CRC-16 of Modbus (Modbus over Serial Line 1.02, 6.2.2). */
function checksum(bytes: Uint8Array): readonly [low: number, high: number] {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return [crc & 0xff, crc >> 8];
}

export class ModbusCoils {
  /** The options of a noun of the kind `modbus` that say where the unit is. */
  place: { readonly server: string } | { readonly device: string; readonly baud: number } = { server: "" };
  /** By address. */
  readonly coils: number[] = [0, 0, 0, 0];
  /** Called with each coil that is written. */
  onWrite: (address: number, on: number) => void = () => {};
  /** The coils whose writes it answers by an exception. */
  readonly refused = new Set<number>();
  isSilent = false;
  /** Whether its answers to writes wait until `catchUp`. What it is asked is done at once. */
  isLate = false;
  private readonly waiting: (() => void)[] = [];

  /** Sends the answers that wait, and is not late any more. */
  catchUp(): void {
    this.isLate = false;
    for (const send of this.waiting.splice(0)) send();
  }

  static async tcp(): Promise<ModbusCoils> {
    const unit = new ModbusCoils();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      let left = Buffer.alloc(0);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
      socket.on("data", (bytes) => {
        for (left = Buffer.concat([left, bytes]); left.length >= 12; left = left.subarray(12)) {
          const answer = unit.answer(left.subarray(7, 12));
          const header = Buffer.from([...left.subarray(0, 4), 0, answer.length + 1, left[6] ?? 0]);
          unit.send(answer, () => void socket.write(Buffer.concat([header, Buffer.from(answer)])));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    unit.place = { server: `127.0.0.1:${(server.address() as AddressInfo).port}` };
    return unit;
  }

  static async rtu(): Promise<ModbusCoils> {
    const unit = new ModbusCoils();
    const line = await Pseudoterminal.open("forget");
    onTestFinished(() => line.unplug());
    let left = Buffer.alloc(0);
    line.onReceived = (bytes) => {
      for (left = Buffer.concat([left, bytes]); left.length >= 8; left = left.subarray(8)) {
        const answer = [left[0] ?? 0, ...unit.answer(left.subarray(1, 6))];
        unit.send(answer, () => line.send(Uint8Array.from([...answer, ...checksum(Uint8Array.from(answer))])));
      }
    };
    unit.place = { device: line.path, baud: 115_200 };
    return unit;
  }

  private send(answer: readonly number[], send: () => void): void {
    if (this.isLate && answer.at(-5) === writeCoil) this.waiting.push(send);
    else if (!this.isSilent) send();
  }

  /** @param question a function's code, an address, and a number of coils or a value: five bytes. */
  private answer(question: Buffer): readonly number[] {
    const code = question.readUInt8(0);
    const address = question.readUInt16BE(1);
    if (code === readCoils) {
      const bits = this.coils.slice(address, address + question.readUInt16BE(3));
      return [code, 1, bits.reduce((byte, on, index) => byte | (on << index), 0)];
    }
    if (code !== writeCoil) return [code | 0x80, 1];
    if (this.isSilent) return [];
    if (this.refused.has(address)) return [code | 0x80, deviceFailure];
    const on = question.readUInt16BE(3) === 0xff00 ? 1 : 0;
    this.coils[address] = on;
    this.onWrite(address, on);
    return [...question];
  }
}
