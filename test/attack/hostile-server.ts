import { createServer, type Server, type ServerResponse, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAllDocuments } from 'yaml';
import { type Answers, GOOD, type Served, serving } from '../cli/fake-api';
import { type Files, textOf } from './files';
import { Random } from './random';
import { sendGood, type ServerCase } from './server-cases';

/** To which requests a hostile server is hostile. The others get what an honest one answers. */
export const SCOPES = ['every request', 'every second path', 'the third request and later ones'] as const;

export interface Hostility {
  readonly one: ServerCase;
  readonly scope: (typeof SCOPES)[number];
  readonly seed: string;
}

/** An HTTP server on loopback that answers an input. */
export class HostileServer {
  #asked = 0;

  private constructor(
    private readonly server: Server,
    private readonly good: Answers,
    private readonly hostility: Hostility,
  ) {}

  static async start(files: Files, hostility: Hostility): Promise<HostileServer> {
    const server = createServer((request, response) => hostile.#answer(request, response));
    const hostile = new HostileServer(server, honestAnswers(files), hostility);
    server.on('clientError', (_, socket) => void socket.destroy());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return hostile;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { one, seed } = this.hostility;
    const path = request.url?.split('?')[0] ?? '';
    const good = this.good[path];
    const random = new Random(seed, path);
    const exchange = { request, response, good: typeof good === 'object' ? good : undefined, random };
    response.on('error', () => undefined);
    request.on('error', () => undefined).resume();
    this.#asked += 1;
    if (this.#isHostile(random)) one.answer(exchange);
    else sendGood(exchange);
  }

  #isHostile(random: Random): boolean {
    const { scope } = this.hostility;
    if (scope === 'every second path') return random.chance(0.5);
    return scope === 'every request' || this.#asked > 2;
  }
}

/** What a cluster and a gateway answer that run what the output of the fleet declares. */
function honestAnswers(files: Files): Answers {
  const manifests = Object.keys(files).filter((path) => /^out\/us\/.*\.yaml$/.test(path));
  const objects = manifests.flatMap((path) =>
    parseAllDocuments(textOf(files[path] ?? '')).map((one) => one.toJS() as Served),
  );
  const chat = { choices: [{ message: { role: 'assistant', content: 'ok' } }], model: 'chat' };
  return {
    ...serving(objects.filter((one) => typeof one?.kind === 'string')),
    ...GOOD,
    '/team-a/chat/v1/chat/completions': chat,
    '/team-a/chat/v1/models': { data: [{ id: 'chat' }] },
  };
}
