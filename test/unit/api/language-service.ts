/** TypeScript's language service, as an editor speaks to it (the Language Server Protocol), for a folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./declared-package.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly contents?: { readonly value?: string } } | null;
}

const program = join(root, `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`);

/** A language service in a process of its own. */
export class LanguageService {
  private readonly folder: string;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private received = Buffer.alloc(0);
  private lastId = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.child = spawn(program, ["--lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
    this.child.stdout?.on("data", (bytes: Buffer) => this.receive(bytes));
  }

  async start(): Promise<void> {
    const hover = { contentFormat: ["markdown"] };
    const rootUri = pathToFileURL(this.folder).href;
    await this.ask("initialize", { processId: process.pid, rootUri, capabilities: { textDocument: { hover } } });
    this.send({ method: "initialized", params: {} });
  }

  /** Opens a file that need not be on the disk. @returns what is shown over the text where it begins with `place`. */
  open(name: string, text: string): (place: string) => Promise<string> {
    const uri = pathToFileURL(join(this.folder, name)).href;
    this.send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
    });
    return async (place) => {
      const before = text.slice(0, text.indexOf(place)).split("\n");
      const position = { line: before.length - 1, character: before.at(-1)?.length };
      const { result } = await this.ask("textDocument/hover", { textDocument: { uri }, position });
      return result?.contents?.value ?? "";
    };
  }

  stop(): void {
    this.child.kill();
  }

  private ask(method: string, params: unknown): Promise<Message> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  private send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const start = this.received.indexOf("\r\n\r\n") + 4;
      const length = Number(/Content-Length: (\d+)/.exec(this.received.subarray(0, start).toString())?.[1]);
      if (start < 4 || this.received.length < start + length) return;
      const message = JSON.parse(this.received.subarray(start, start + length).toString()) as Message;
      this.received = this.received.subarray(start + length);
      // What the service itself asks for, a registration for instance, is granted.
      if (message.method !== undefined && message.id !== undefined) this.send({ id: message.id, result: null });
      else if (message.id !== undefined) this.waiting.get(message.id)?.(message);
    }
  }
}
