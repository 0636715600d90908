import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { bytesOf, field, fieldsOf } from './protobuf';

/**
 * An endpoint picker that speaks as much of the protocol of Envoy's external processors as that of llm-d does: it
 * waits for the whole body of a request, then sends the head back with the address of a pod, and the body as it was.
 * Facts: envoy/service/ext_proc/v3/external_processor.proto.
 */
export class Picker {
  /** How many requests it has seen. */
  asked = 0;

  #server: Http2Server | undefined;
  readonly #sessions = new Set<ServerHttp2Session>();

  /** @param pick the address of the pod for a body */
  constructor(
    readonly address: string,
    readonly port: number,
    readonly pick: (body: string) => string,
  ) {}

  async start(): Promise<void> {
    const server = createServer();
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session)).on('error', () => {});
    });
    server.on('stream', (stream) => this.#process(stream));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.port, this.address, resolve);
    });
  }

  /** Ends at once, with what it was asked. */
  async die(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  #process(stream: ServerHttp2Stream): void {
    this.asked++;
    const body: Buffer[] = [];
    let unread = Buffer.alloc(0);
    stream.on('error', () => {});
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('end', () => stream.end());
    stream.on('data', (part: Buffer) => {
      unread = Buffer.concat([unread, part]);
      for (let message = next(unread); message; message = next(unread)) {
        unread = unread.subarray(FRAME + message.length);
        if (isWhole(message)) stream.write(framed(this.#head('')));
        const part = bodyIn(message);
        if (part) body.push(part.bytes);
        if (part?.last) for (const answer of this.#answers(Buffer.concat(body))) stream.write(framed(answer));
      }
    });
  }

  #answers(body: Buffer): Buffer[] {
    const parts = Array.from({ length: Math.max(1, Math.ceil(body.length / PART)) }, (_, i) =>
      body.subarray(i * PART, (i + 1) * PART),
    );
    return [
      this.#head(body.toString('utf8')),
      ...parts.map((part, i) => {
        const streamed = Buffer.concat([field(1, part), field(2, i === parts.length - 1)]);
        return field(REQUEST_BODY, field(1, field(3, field(3, streamed))));
      }),
    ];
  }

  #head(body: string): Buffer {
    const header = Buffer.concat([field(1, DESTINATION), field(3, this.pick(body))]);
    return field(REQUEST_HEAD, field(1, field(2, field(1, field(1, header)))));
  }
}

/** Where the picker says which pod it picked. */
const DESTINATION = 'x-gateway-destination-endpoint';

/** The largest part of a body in a message. */
const PART = 60_000;

/** The numbers of what Envoy is answered. */
const REQUEST_HEAD = 1;
const REQUEST_BODY = 3;

/** The numbers of a head and of a part of a body, in what Envoy sends. */
const SENT_HEAD = 2;
const SENT_BODY = 4;

/** Before each message: whether it is compressed, and its length. */
const FRAME = 5;

function next(bytes: Buffer): Buffer | undefined {
  if (bytes.length < FRAME) return undefined;
  const end = FRAME + bytes.readUInt32BE(1);
  return bytes.length < end ? undefined : bytes.subarray(FRAME, end);
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(FRAME);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Whether it is the head of a request without a body. */
function isWhole(message: Buffer): boolean {
  const head = bytesOf(fieldsOf(message), SENT_HEAD);
  return head !== undefined && fieldsOf(head).some(({ number, value }) => number === 3 && value === 1);
}

function bodyIn(message: Buffer): { bytes: Buffer; last: boolean } | undefined {
  const part = bytesOf(fieldsOf(message), SENT_BODY);
  if (!part) return undefined;
  const fields = fieldsOf(part);
  const last = fields.some(({ number, value }) => number === 2 && value === 1);
  return { bytes: bytesOf(fields, 1) ?? Buffer.alloc(0), last };
}
