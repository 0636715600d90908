import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { startControlPlane } from '../harness/control-plane';
import { kubeplane } from '../harness/kubeplane';
import { CACHE, ROOT } from '../harness/paths';
import { freePorts } from '../harness/ports';
import { until } from '../harness/until';
import { type FleetSpec, fleetOf } from '../promises/fleets';
import { shrink } from '../promises/shrink';
import { Tally } from '../strict/tally';
import mutations from '../mutations.cjs';
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
      pickPorts: async (count) => (asked++ === 0 ? [taken.port, ...(await freePorts(count - 1))] : freePorts(count)),
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
    const alive = plane.programs.filter(({ pid }) => pid !== undefined && processesWith('').includes(pid));
    const named = /kube-scheduler ended unexpectedly \(signal SIGKILL\)/.test(words);
    return [...(named ? [] : [words]), ...alive.map(({ name }) => `${name} is still running`)];
  },

  'a run that is killed while it builds leaves nothing running': async (folder) => {
    const slow = join(folder, 'go');
    const script = `#!/bin/sh\ncase $1 in env) echo go99.0.0 ;; *) sleep 600 & wait ;; esac\n`;
    writeFileSync(slow, script, { mode: 0o755 });
    const { child, ended } = startRun(['refusals'], { ...own(folder), FLEETWRIGHT_GO: slow });
    const begun = await comes(() => processesWith(`${slow}\0build`).length > 0);
    child.kill('SIGKILL');
    await ended;
    const gone = await comes(() => processesWith(folder).length === 0);
    return [...(begun ? [] : ['it did not begin to build']), ...(gone ? [] : left(folder))];
  },

  'objects whose CRD is missing are listed, and fail the run': async () => {
    const tally = new Tally(0);
    const metadata = { name: 'a' };
    tally.unknown({ apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', metadata });
    const { figures, failures } = tally.report();
    const listed = figures.some((line) => /^1 of LeaderWorkerSet .*not sent/.test(line));
    const failed = failures.some((line) => /LeaderWorkerSet/.test(line));
    return listed && failed ? [] : [JSON.stringify({ figures, failures })];
  },

  'a run that sends nothing does not pass': async () => {
    const { failures } = new Tally(0).report();
    return failures.length >= 2 ? [] : [`it fails with ${failures.join('; ') || 'nothing'}`];
  },

  'a fleet whose promises are broken is made as small as it can be': async () => {
    const seeds = Array.from({ length: 100 }, (_, i) => i);
    const seed = seeds.find((one) => fleetOf(one).clusters.length > 1 && hasGang(fleetOf(one))) ?? 0;
    const { clusters, deployments } = await shrink(fleetOf(seed), async (spec) => hasGang(spec), 1_000);
    const [{ replicas, engines } = { replicas: 0, engines: [] }] = deployments;
    const sizes = [clusters.length, clusters[0]?.pools.length, deployments.length, replicas, engines.length];
    return sizes.every((size) => size === 1) && engines[0]?.copies === 1 && engines[0].requests.length === 1
      ? []
      : [JSON.stringify({ clusters, deployments })];
  },

  'every mistake that a run can be asked to make has its place in the product': async () => {
    const mistakes = Object.entries(mutations);
    const lost = mistakes.filter(([, { file, from }]) => !readFileSync(join(ROOT, file), 'utf8').includes(from));
    return [...(mistakes.length > 0 ? [] : ['there is none']), ...lost.map(([name]) => `${name} has lost its place`)];
  },

  'an interrupted run leaves nothing running': (folder) => stopped('SIGINT', folder),
  'a run that is killed leaves nothing running': (folder) => stopped('SIGKILL', folder),
};

function hasGang({ deployments }: FleetSpec): boolean {
  return deployments.some(({ engines }) => engines.some(({ workers }) => workers > 0));
}

/** Runs, and looks for the message, the exit code, and what is left in the cache. */
async function endsWith(
  environment: Readonly<Record<string, string>>,
  folder: string,
  message: RegExp,
): Promise<string[]> {
  const { ended } = startRun(['refusals'], { ...own(folder), ...environment });
  const { code, output } = await ended;
  const kept = 'FLEETWRIGHT_KUBERNETES_CACHE' in environment ? [] : readdirSync(cacheIn(folder));
  return [
    ...(message.test(output) ? [] : [`it says: ${output}`]),
    ...(code === 1 ? [] : [`it ends with ${code}`]),
    ...kept.map((name) => `${name} is left in the cache`),
    ...left(folder),
  ];
}

function fakeGo(folder: string, version: string): string {
  const path = join(folder, 'go');
  writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return path;
}

/** Ends a run while its control plane works. */
async function stopped(signal: 'SIGINT' | 'SIGKILL', folder: string): Promise<string[]> {
  const built = dirname(await kubeplane());
  mkdirSync(cacheIn(folder));
  symlinkSync(built, join(cacheIn(folder), basename(built)));
  const { child, ended } = startRun(['refusals'], own(folder));
  const begun = await comes(() => processesWith(folder).length >= 4);
  child.kill(signal);
  const { code, output } = await ended;
  await comes(() => processesWith(folder).length === 0);
  const files = readdirSync(folder).filter((name) => name.startsWith('fleetwright-kubernetes-'));
  return [
    ...(begun ? [] : ['its four programs did not start']),
    ...left(folder),
    ...(signal === 'SIGINT' && code !== 130 ? [`it ends with ${code}: ${output}`] : []),
    ...(signal === 'SIGINT' ? files.map((name) => `${name} is left`) : []),
  ];
}

/** A cache and a folder for temporary files that no other run has. */
function own(folder: string): Readonly<Record<string, string>> {
  return { FLEETWRIGHT_KUBERNETES_CACHE: cacheIn(folder), TMPDIR: folder };
}

function cacheIn(folder: string): string {
  return join(folder, 'cache');
}

function left(folder: string): string[] {
  return processesWith(folder).map((pid) => `process ${pid} is left`);
}

/** Whether something comes true before long. */
async function comes(holds: () => boolean): Promise<boolean> {
  return until('it comes', holds, 120_000).then(
    () => true,
    () => false,
  );
}

async function listener(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, close: () => server.close() };
}
