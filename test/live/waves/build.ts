import type { Resource } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble, type LostNodes } from '../../../src/fleet/fleet';
import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { findWaveDeadlocks } from '../../../src/live/waves/wave-deadlocks';
import { decide } from '../../../src/plan/decide';
import { renderCluster } from '../../../src/render/cluster';
import { EMPTY_LOCK, type Lock } from '../../../src/scheduler/lock/lock';
import { recordRevision } from '../../../src/scheduler/previous-revision';
import { byPath } from '../../api/build';
import { ask, cluster, deployment, device, engine, nodeClass } from '../../scheduler/build';

/** A change of what a cluster runs. */
export interface Row {
  /** Deployments that run. */
  before?: Resource[];

  /** Deployments that are to run. */
  after?: Resource[];

  /** The pools, before and after. */
  pools?: Record<string, string>;
  later?: Record<string, string>;
  dra?: boolean;
  lost?: LostNodes[];

  /** The pool where. Default: h100. */
  on?: string;

  /** What happens to the lock, and to what runs, in between. */
  lock?: (lock: Lock) => Lock;
  running?: (objects: readonly LiveObject[]) => readonly LiveObject[];

  /** The deployments that have waves. Default: waves wait for all workloads. */
  inWaves?: string[];

  /** What is reported, without the beginning and the end that are the same in all rows. */
  want: string[];
}

export const CLASSES = [
  nodeClass('h100', device('gpu', { extendedResource: 'nvidia.com/gpu' })),
  nodeClass('l4', device('gpu', { count: 1, memory: '23034Mi', architecture: 'Ada Lovelace' })),
];

export function gang(name: string): Resource {
  return deployment(name, { engines: [engine('main', [ask('gpu', 8)], { workers: 1 })] });
}

export function surging(name: string, surge: number, more = {}): Resource {
  return deployment(name, { ...more, spec: { rollout: { surge } } });
}

export const US = cluster('us', { h100: 'h100 x 2' });

/** `old` is on both nodes of the pool. */
export const OLD = deployment('ml/old', { replicas: 2 });
export const NEW = deployment('ml/new');

export const ONE_MORE =
  'ml/new (1 pod) would wait for devices of ml/old (2 pods), which is removed last. It has 2 nodes, and both need 1 more';

export function edited(objects: readonly LiveObject[], from: string, to: string): LiveObject[] {
  return JSON.parse(JSON.stringify(objects).replaceAll(from, to)) as LiveObject[];
}

/** Compares what is reported of a change with what a row wants. */
export function check(row: Row): void {
  const { before = [], after = [], pools = { h100: 'h100 x 2' }, later = pools, dra = true, want } = row;
  const { on = 'h100', lock = (same: Lock) => same, running = (same: readonly LiveObject[]) => same } = row;
  const first = [...CLASSES, cluster('us', pools, { dra, monitoring: {} }), ...before];
  const former = assemble(first).deployments.flatMap((one) => recordRevision(one) ?? []);
  const was = decide(assemble(first), byPath, EMPTY_LOCK);
  const next = {
    ...assemble([...CLASSES, cluster('us', later, { dra, monitoring: {} }), ...after]),
    ...(row.lost && { lost: row.lost }),
  };
  const is = decide(next, byPath, lock(was.lock), { notes: [], warnings: [], former });
  const objects = [was, is].map(({ fleet, replicas }) => renderCluster(fleet.clusters[0]!, replicas, { fleet }));
  const [live = [], manifests = []] = objects;
  const inWaves = row.inWaves && { inWaves: new Set(row.inWaves) };
  const site = { cluster: next.clusters[0]!, fleet: next, manifests, ...inWaves };
  const pool = `us: waves would block in pool '${on}': `;
  expect(findWaveDeadlocks(site, running(live)).map(formatDiagnostic)).toEqual(
    want.map((text) => expect.stringContaining(`${pool}${text}. Remove `) as string),
  );
}
