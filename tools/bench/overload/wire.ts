import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  status: number;
  /** Seconds; 0 when there is none. */
  retryAfter: number;
}

type Done = (answer: WireAnswer | undefined) => void;

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * A client of one connection and one request at a time, that looks at no more of an answer than it has to: on a machine that load and
 * service share, what the sender spends the service lacks.
 */
export class Wire {
  private socket: Socket | undefined;
  private done: Done | undefined;
  private head: Buffer = Buffer.alloc(0);
  private missing = 0;
  private answer: WireAnswer | undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** @param done is given nothing when the connection broke */
  send(text: string, done: Done): void {
    this.done = done;
    this.socket ??= this.open();
    this.socket.write(text);
  }

  close(): void {
    this.done = undefined;
    this.socket?.destroy();
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.head = Buffer.alloc(0);
      this.finish(undefined);
    });
    return socket;
  }

  private read(chunk: Buffer): void {
    if (!this.answer) {
      this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
      const end = this.head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const head = this.head.toString('latin1', 0, end);
      this.answer = { status: Number(head.slice(9, 12)), retryAfter: numberOf(head, 'retry-after') };
      this.missing = numberOf(head, 'content-length') - (this.head.length - end - END_OF_HEAD.length);
      this.head = Buffer.alloc(0);
    } else {
      this.missing -= chunk.length;
    }
    if (this.missing > 0) return;
    const { answer } = this;
    this.answer = undefined;
    this.finish(answer);
  }

  private finish(answer: WireAnswer | undefined): void {
    this.answer = undefined;
    const { done } = this;
    this.done = undefined;
    done?.(answer);
  }
}

function numberOf(head: string, name: string): number {
  const at = head.toLowerCase().indexOf(`\r\n${name}: `);
  return at < 0 ? 0 : parseInt(head.slice(at + name.length + 4), 10);
}
