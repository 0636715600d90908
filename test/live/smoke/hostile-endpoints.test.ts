import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServiceClient } from '../../../src/live/smoke/service-client';
import { testService } from '../../../src/live/smoke/smoke-test';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

interface Row {
  readonly respond: (response: ServerResponse) => void;
  readonly want: string;
  readonly timeout?: number;
}

const rows: Record<string, Row> = {
  'whose answer never ends': {
    respond: (response) => {
      const send = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', send);
      send();
    },
    timeout: 30_000,
    want: 'it cannot be reached: its answer is longer than 4 MiB',
  },
  'whose answer has fewer characters than the limit, and more bytes': {
    respond: (response) => void response.end(JSON.stringify({ data: [], filler: '€'.repeat(1.5 * 2 ** 20) })),
    timeout: 30_000,
    want: 'it cannot be reached: its answer is longer than 4 MiB',
  },
  'that answers byte by byte': {
    respond: (response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
    want: 'no answer within 0.5 s',
  },
  'that does not answer': { respond: () => undefined, want: 'no answer within 0.5 s' },
  'that lists a model with a name of a megabyte': {
    respond: (response) => void response.end(JSON.stringify({ data: [{ id: 'x'.repeat(1e6) }] })),
    want: 'v1/models lists a model whose name is too long',
  },
  'that lists null': {
    respond: (response) => void response.end('{"data": [null, {}]}'),
    want: 'v1/models lists no model',
  },
  'that refuses with a megabyte of message': {
    respond: (response) => void response.writeHead(500).end(JSON.stringify({ error: { message: 'no'.repeat(5e5) } })),
    want: `v1/models answers 500: ${'no'.repeat(100)}`,
  },
  'that answers JSON nested a million times': {
    respond: (response) => void response.end('['.repeat(1e6) + ']'.repeat(1e6)),
    want: 'v1/models lists no model',
  },
};

test.each(Object.entries(rows))('an endpoint %s', async (_, { respond, want, timeout = 500 }) => {
  server = createServer((_request, response) => {
    response.on('error', () => {});
    respond(response);
  });
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const result = await testService({ service: 'ml/q', url, gateways: [] }, createServiceClient(url, { timeout }));
  expect(result).toMatchObject({ level: 'failure', what: want });
});
