import { createHash } from 'node:crypto';
import { createServer as createPlain, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Socket } from 'node:net';
import { sleep } from '../../kubernetes/harness/concurrently';
import { frameOf, framesIn } from '../traffic/frames';

/** What an engine is made with. */
export interface EngineSettings {
  readonly name: string;
  readonly address: string;
  readonly port: number;

  /** The model names that it serves. It answers 404 to any other, as engines do. */
  readonly models: readonly string[];

  /** Where it speaks TLS: its certificate and key. */
  readonly tls?: { readonly cert: string; readonly key: string };

  /** Where it asks for a key: the only value of `authorization` that it takes. */
  readonly authorization?: string;
}

/** A request as an engine saw it. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;

  /** The name that the caller asked for in TLS. Empty: none, or no TLS. */
  readonly sni: string;
}

/** A server that speaks as much of the OpenAI API as a gateway can tell from a real one. */
export class Engine {
  readonly name: string;
  readonly seen: Seen[] = [];

  /** How long an answer takes, in milliseconds. */
  latency = 0;

  /** What it answers to all requests for a model, where it is broken. Health stays good. */
  broken: number | undefined;

  /** Whether its model embeds alone: other requests for it are refused, as vLLM does. */
  embeds = false;

  /** Requests for a model that came while it was not ready. */
  early = 0;

  /** The most requests at once. */
  peak = 0;

  #busy = 0;
  #ready = false;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(readonly settings: EngineSettings) {
    this.name = settings.name;
  }

  /** Listens, with all weights loaded or with none of them. */
  async start(ready = true): Promise<void> {
    this.#ready = ready;
    const { tls, address, port } = this.settings;
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      this.#answer(request, response).catch(() => response.destroy());
    };
    const server = tls ? createSecure(tls, answer) : createPlain(answer);
    server.keepAliveTimeout = 600_000;
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.#echo(request, socket));
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, address, resolve);
    });
  }

  /** Its weights are loaded. */
  becomeReady(): void {
    this.#ready = true;
  }

  /** It goes on answering, and says that it is not ready. */
  becomeUnready(): void {
    this.#ready = false;
  }

  /** Ends at once, with what it was answering. */
  async die(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Forgets what it has seen. */
  reset(): void {
    this.seen.length = 0;
    this.early = 0;
    this.peak = 0;
  }

  /** Says again what it hears through a WebSocket. */
  #echo({ url = '', headers }: IncomingMessage, socket: Socket): void {
    this.seen.push({ path: url, headers, body: '', sni: '' });
    const proof = createHash('sha1').update(`${headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    const head = [
      'HTTP/1.1 101 Switching Protocols',
      'connection: Upgrade',
      'upgrade: websocket',
      `sec-websocket-accept: ${proof}`,
      `x-engine: ${this.name}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let rest = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      const frames = framesIn(Buffer.concat([rest, data]));
      rest = Buffer.from(frames.rest);
      for (const text of frames.texts) socket.write(frameOf(text, false));
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === '/health') return void response.writeHead(this.#ready ? 200 : 503).end();
    const body = await textOf(request);
    const { servername } = request.socket as { servername?: string | false };
    this.seen.push({ path, headers: request.headers, body, sni: servername || '' });
    if (!this.#ready) this.early++;
    this.peak = Math.max(this.peak, ++this.#busy);
    try {
      if (this.latency > 0) await sleep(this.latency);
      await this.#complete(request, response, body);
    } finally {
      this.#busy--;
    }
  }

  async #complete(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const { authorization, models } = this.settings;
    response.setHeader('x-engine', this.name);
    if (!this.#ready) return refuse(response, 503, 'loading');
    if (this.broken !== undefined) return refuse(response, this.broken, 'broken');
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      return refuse(response, 401, 'invalid_api_key');
    }
    if (request.url === '/v1/models') {
      return json(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    }
    const asked = questionOf(body);
    if (!asked || !models.includes(asked.model)) return refuse(response, 404, 'model_not_found');
    if (asked.stream) return stream(response, asked);
    if (!this.embeds) return json(response, 200, { object: 'chat.completion', choices: [{ index: 0 }] });
    if (request.url !== '/v1/embeddings') return refuse(response, 400, 'no_such_task');
    json(response, 200, { object: 'list', data: [{ index: 0, embedding: [0.5] }] });
  }
}

/** What both ends of a WebSocket know (RFC 6455). */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface Question {
  readonly model: string;
  readonly stream?: boolean;

  /** How many events a stream has, and the time between two of them in milliseconds. */
  readonly events?: number;
  readonly pause?: number;
}

function questionOf(body: string): Question | undefined {
  try {
    return JSON.parse(body) as Question;
  } catch {
    return undefined;
  }
}

async function stream(response: ServerResponse, { events = 10, pause = 100 }: Question): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (let i = 0; i < events && !response.destroyed; i++) {
    response.write(`data: {"index":${i}}\n\n`);
    await sleep(pause);
  }
  response.end('data: [DONE]\n\n');
}

function refuse(response: ServerResponse, status: number, code: string): void {
  json(response, status, { error: { code } });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
