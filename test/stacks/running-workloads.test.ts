import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { API_OPTIONS } from '../../stacks/checks/cluster-checks';
import { ExistingCluster } from '../../stacks/index';
import { listRunningWorkloads, type RunningWorkloads } from '../../stacks/checks/running-workloads';
import { FakeApi } from '../cli/fake-api';
import { ignoreUnaskedClusters, record } from './record';

ignoreUnaskedClusters();

/** A load balancer that drops its first connections, as one does while its API server restarts. */
async function startDropping(drops: number, url: string): Promise<Server> {
  let seen = 0;
  const server = createServer((socket) => {
    if (seen++ < drops) return void socket.destroy();
    const behind = connect(Number(new URL(url).port), '127.0.0.1');
    for (const one of [socket, behind]) one.on('error', () => {});
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('a cluster whose API server drops connections', () => {
  test.each([
    ['is asked again after a pause', { drops: 1, pauses: [1, 1] }, true],
    ['is asked once more after the last pause', { drops: 2, pauses: [1, 1] }, true],
    ['is given up when the pauses are over', { drops: 3, pauses: [1, 1] }, false],
  ])('%s', async (_, { drops, pauses }, want) => {
    const api = await FakeApi.start({ '/version': { gitVersion: 'v1.35.0' } });
    const server = await startDropping(drops, api.url);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kubeconfig = api.kubeconfig({ token: 'SECRET' }).replace(api.url, url);
    let found: RunningWorkloads | undefined;
    await record(async () => {
      Object.assign(API_OPTIONS, { pauses });
      const cluster = new ExistingCluster('us', { kubeconfig });
      found = await listRunningWorkloads(cluster, cluster as never);
    });
    server.close();
    api.stop();
    expect(found?.access !== undefined).toBe(want);
  });
});
