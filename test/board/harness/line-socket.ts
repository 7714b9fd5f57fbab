/** A Unix socket that QEMU connects to when it starts, over which lines of text go both ways. */
import { createServer, type Server, type Socket } from "node:net";

/** One socket, one connection. */
export class LineSocket {
  /** Its path, for QEMU's command line. */
  readonly path: string;
  /** Called for each line that arrives. */
  onLine: (line: string) => void = () => undefined;
  /** Called once when the connection is lost. */
  onClose: () => void = () => undefined;
  readonly #server: Server;
  readonly #connected: Promise<Socket>;
  #socket: Socket | undefined;

  private constructor(path: string, server: Server) {
    this.path = path;
    this.#server = server;
    this.#connected = new Promise((resolve) => {
      server.once("connection", (socket) => {
        this.#socket = socket;
        // An error is followed by the close, and says nothing more: QEMU has ended.
        socket.on("error", () => undefined);
        socket.once("close", () => this.onClose());
        let rest = "";
        socket.setEncoding("utf8");
        socket.on("data", (text: string) => {
          const lines = `${rest}${text}`.split(/\r?\n/);
          rest = lines.pop() ?? "";
          for (const line of lines) {
            this.onLine(line);
          }
        });
        resolve(socket);
      });
    });
  }

  /** Listens at a path where nothing is yet. */
  static async listen(path: string): Promise<LineSocket> {
    const server = createServer();
    const socket = new LineSocket(path, server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    return socket;
  }

  /** Sends a line, as soon as QEMU has connected. */
  async send(line: string): Promise<void> {
    const socket = await this.#connected;
    socket.write(`${line}\n`);
  }

  /** Gives the socket up. */
  close(): void {
    this.#socket?.destroy();
    this.#server.close();
  }
}
