import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { sleep } from '../../kubernetes/harness/concurrently';
import type { Door } from './ask';
import { frameOf, framesIn } from './frames';

/** What came of a WebSocket. */
export interface Conversation {
  /** 101 where there was one. Undefined: none, the connection failed. */
  readonly status: number | undefined;

  /** The engine at its end. */
  readonly engine: string | undefined;
  readonly heard: readonly string[];
}

/** Opens a WebSocket at a gateway, says some texts, a pause before each, and hears what comes back. */
export type Converse = (
  question: {
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly method?: string;
  },
  said: readonly string[],
  pause?: number,
) => Promise<Conversation>;

/** The way to open WebSockets at one door. */
export function converser({ host, port, ca }: Door): Converse {
  return ({ path, headers = {}, method = 'GET' }, said, pause = 0) =>
    new Promise((resolve) => {
      const key = randomBytes(16).toString('base64');
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const all = { ...upgrade, 'sec-websocket-key': key, ...headers };
      const outgoing = request({
        host,
        port,
        ca,
        servername: host,
        path,
        method,
        headers: all,
        agent: false,
      });
      outgoing.on('upgrade', ({ statusCode, headers: answered }, socket, head) => {
        const engine = String(answered['x-engine']);
        void talk(socket, head, said, pause).then((heard) => resolve({ status: statusCode, engine, heard }));
      });
      outgoing.on('response', ({ statusCode }) => {
        outgoing.destroy();
        resolve({ status: statusCode, engine: undefined, heard: [] });
      });
      outgoing.on('error', () => resolve({ status: undefined, engine: undefined, heard: [] }));
      outgoing.end();
    });
}

/** As long as a text may take to come back, in milliseconds. */
const PATIENCE = 10_000;

async function talk(socket: Socket, head: Buffer, said: readonly string[], pause: number): Promise<string[]> {
  const heard: string[] = [];
  let rest = head;
  socket.on('error', () => {});
  socket.on('data', (data: Buffer) => {
    const frames = framesIn(Buffer.concat([rest, data]));
    rest = frames.rest;
    heard.push(...frames.texts);
  });
  for (const [i, text] of said.entries()) {
    await sleep(pause);
    socket.write(frameOf(text, true));
    const limit = performance.now() + PATIENCE;
    while (heard.length <= i && performance.now() < limit) await sleep(5);
  }
  socket.destroy();
  return heard;
}
