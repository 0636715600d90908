import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { sleep } from '../harness/concurrently';
import { startControlPlane } from '../harness/control-plane';
import { kubeplane } from '../harness/kubeplane';
import { CACHE } from '../harness/paths';
import { freePorts } from '../harness/ports';
import { processesWith, startRun } from './child';

/** Something that goes wrong, in an empty folder. Returns what is not as it should be. */
export type Row = (folder: string) => Promise<string[]>;

/** What can go wrong with a run: one clear message, nothing left running, nothing half made. */
export const ROWS: Readonly<Record<string, Row>> = {
  'without Go a run says so': (folder) =>
    endsWith({ FLEETWRIGHT_GO: join(folder, 'no-go') }, folder, /there is no Go here/),

  'an old Go is named, with the version that is needed': (folder) =>
    endsWith({ FLEETWRIGHT_GO: fakeGo(folder, 'go1.22.3') }, folder, /go 1\.22\.3 is too old: .* 1\.26\.0/),

  'without a network the first build says what it needs': (folder) =>
    endsWith(
      { GOPROXY: 'https://127.0.0.1:9', GOMODCACHE: join(folder, 'modules'), GONOSUMDB: '*' },
      folder,
      /Go modules cannot be downloaded .*needs the Go module proxy/,
    ),

  'a second run at the same time is refused': (folder) =>
    endsWith(
      { FLEETWRIGHT_KUBERNETES_CACHE: CACHE },
      folder,
      /another run is at work in this checkout \(process \d+\)/,
    ),

  'a port that is taken is tried again with another': async () => {
    const taken = await listener();
    let asked = 0;
    const plane = await startControlPlane({
      daemons: false,
      pickPorts: async (count) =>
        asked++ === 0 ? [taken.port, ...(await freePorts(count - 1))] : freePorts(count),
    });
    await plane.stop();
    taken.close();
    return asked === 2 ? [] : [`ports were picked ${asked} times`];
  },

  'a port that stays taken ends the run with its name': async () => {
    const taken = await listener();
    const pickPorts = async (count: number) => [taken.port, ...(await freePorts(count - 1))];
    const words = await startControlPlane({ daemons: false, pickPorts }).then(() => 'it started', String);
    taken.close();
    return /etcd found its port taken 3 times/.test(words) ? [] : [words];
  },

  'a program that dies in the middle is named, with the end of its log': async () => {
    const plane = await startControlPlane();
    const scheduler = plane.programs.find(({ name }) => name === 'kube-scheduler');
    process.kill(scheduler?.pid ?? 0, 'SIGKILL');
    const words = await plane.failure.catch(String);
    await plane.stop();
    const left = plane.programs.filter(({ pid }) => pid !== undefined && processesWith('').includes(pid));
    const named = /kube-scheduler ended unexpectedly \(signal SIGKILL\)/.test(words);
    return [...(named ? [] : [words]), ...left.map(({ name }) => `${name} is still running`)];
  },

  'an interrupted run leaves nothing running': (folder) => stopped('SIGINT', folder),
  'a run that is killed leaves nothing running': (folder) => stopped('SIGKILL', folder),
};

/** Runs, and looks for the message, the exit code, and what is left in the cache. */
async function endsWith(
  environment: Readonly<Record<string, string>>,
  folder: string,
  message: RegExp,
): Promise<string[]> {
  const cache = join(folder, 'cache');
  const { ended } = startRun(['refusals'], {
    FLEETWRIGHT_KUBERNETES_CACHE: cache,
    TMPDIR: folder,
    ...environment,
  });
  const { code, output } = await ended;
  const left = 'FLEETWRIGHT_KUBERNETES_CACHE' in environment ? [] : readdirSync(cache);
  return [
    ...(message.test(output) ? [] : [`it says: ${output}`]),
    ...(code === 1 ? [] : [`it ends with ${code}`]),
    ...left.map((name) => `${name} is left in the cache`),
    ...processesWith(folder).map((pid) => `process ${pid} is left`),
  ];
}

function fakeGo(folder: string, version: string): string {
  const path = join(folder, 'go');
  writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return path;
}

/** Ends a run while its control plane works. */
async function stopped(signal: 'SIGINT' | 'SIGKILL', folder: string): Promise<string[]> {
  const cache = join(folder, 'cache');
  const built = dirname(await kubeplane());
  mkdirSync(cache);
  symlinkSync(built, join(cache, basename(built)));
  const { child, ended } = startRun(['refusals'], { FLEETWRIGHT_KUBERNETES_CACHE: cache, TMPDIR: folder });
  const deadline = Date.now() + 60_000;
  while (processesWith(folder).length < 4 && Date.now() < deadline) await sleep(50);
  child.kill(signal);
  const { code, output } = await ended;
  const patience = Date.now() + 10_000;
  while (processesWith(folder).length > 0 && Date.now() < patience) await sleep(50);
  const files = readdirSync(folder).filter((name) => name.startsWith('fleetwright-kubernetes-'));
  return [
    ...processesWith(folder).map((pid) => `process ${pid} is left`),
    ...(signal === 'SIGINT' && code !== 130 ? [`it ends with ${code}: ${output}`] : []),
    ...(signal === 'SIGINT' ? files.map((name) => `${name} is left`) : []),
  ];
}

async function listener(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, close: () => server.close() };
}
