import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { ControlPlane } from '../harness/control-plane';
import type { Desk } from './desk';
import type { Verdicts } from './verdicts';
import { isWell } from './well';

interface Config {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** Through a proxy, and with a token that a credential plugin gives. */
export async function reachTrial({ kubeconfig }: ControlPlane, desk: Desk, verdicts: Verdicts): Promise<void> {
  const proxy = await startProxy();
  try {
    const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as Config;
    const reached = desk.write('reached', JSON.stringify(throughProxy(config, proxy.url)));
    const { code, out } = await desk.run('doctor', 'local', desk.path('fleet'), '--kubeconfig', reached);
    const well = code === 0 && isWell(out);
    verdicts.check('by a plugin and a proxy', well && proxy.tunnels() > 0, `${proxy.tunnels()} tunnels\n${out}`);
  } finally {
    proxy.stop();
  }
}

function throughProxy(config: Config, url: string): object {
  return {
    ...config,
    clusters: config.clusters.map((one) => ({ ...one, cluster: { ...one.cluster, 'proxy-url': url } })),
    users: config.users.map((one) => ({ ...one, user: { exec: plugin(one.user.token) } })),
  };
}

function plugin(token: string): object {
  const credential = JSON.stringify({ kind: 'ExecCredential', status: { token } });
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', 'printf %s "$CREDENTIAL"'],
    env: [{ name: 'CREDENTIAL', value: credential }],
  };
}

interface Proxy {
  readonly url: string;
  readonly tunnels: () => number;
  readonly stop: () => void;
}

async function startProxy(): Promise<Proxy> {
  let count = 0;
  const server = createServer((socket) => {
    socket.once('data', (head: Buffer) => {
      const [, host = '', port = ''] = /^CONNECT ([^:]+):(\d+) /.exec(head.toString()) ?? [];
      count += 1;
      const there = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      for (const [one, other] of [
        [socket, there],
        [there, socket],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, tunnels: () => count, stop: () => void server.close() };
}
