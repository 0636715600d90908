import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Ran, SMALL, Workspace } from './cli';

/** The small fleet with a service behind a public gateway. */
export const ROUTED = `${SMALL.replace(
  '  nodePools:',
  '  gateway: { hostname: us.example.com, tls: { certificateRef: { name: a }, clientCertificateRef: { name: b }, caRef: { name: c } } }\n  nodePools:',
).replace('  replicas: 1\n  template:\n', '  replicas: 1\n  template:\n    metadata: { labels: { app: q } }\n')}---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec: { endpoints: [{ selector: { matchLabels: { app: q } } }] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceGateway
metadata: { name: public }
spec: { clusters: [us], hostname: chat.example.com, public: insecure }
`;

interface Asked {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A status and a body, a body, or nothing at all, by path. A body that is text is sent as it is. */
export type Answers = Record<string, [number, object | string] | object | 'nothing'>;

/** Where the service of the fleet is asked for a chat, and an answer to it. */
export const CHAT = '/ml/chat/v1/chat/completions';
export const GOOD: Answers = { [CHAT]: { choices: [{}] } };

/** The environment of each run. */
const ENV = { KEY: 'SECRET', KEY_OF_A_FILE: 'SECRET\n' };

/** A folder with a fleet, and a stand-in for its gateways. */
export class SmokeDesk {
  readonly work = new Workspace();

  /** What was asked there since. */
  asked: Asked[] = [];
  #server: Server | undefined;

  /** Asks the services of a fleet, with what its gateways answer. */
  async smoke(answers: Answers, flags = '', fleet = ROUTED): Promise<Ran> {
    this.work.write({ 'fleet/fleet.yaml': fleet });
    this.work.run('lock ./fleet');
    const via = await this.#serve(answers);
    const ran = await this.work.runLive(`smoke ./fleet --via ${via}${flags}`, { env: ENV });
    expect(`${ran.out}${ran.err}`).not.toContain('SECRET');
    return ran;
  }

  async #serve(answers: Answers): Promise<string> {
    this.#server?.close();
    this.asked = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += String(part);
      const line = `${request.method} ${request.url}`;
      this.asked.push({ line, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) });
      const answer = answers[request.url ?? ''] ?? [404, { message: 'no route' }];
      if (answer === 'nothing') return;
      const [status, body] = Array.isArray(answer) ? (answer as [number, object | string]) : [200, answer];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    this.#server = server;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  remove(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.work.remove();
  }
}
