import type { PreviousRevision } from '../../../src/fleet/fleet';
import type { Lock } from '../../../src/scheduler/lock/lock';
import { recordRevision } from '../../../src/scheduler/previous-revision';
import type { Placement } from '../../../src/scheduler/placement';
import { aDeployment } from '../../api/build';

/** A line of a lock: `at('ml/a', 'us/0')`. */
export function at(deployment: string, where: string, rest: Partial<Placement> = {}): Placement {
  const [cluster = '', index = '0'] = where.split('/');
  return { deployment, cluster, index: Number(index), pools: { main: 'h100' }, shape: '0a1b2c3d', ...rest };
}

/** A lock of these lines. */
export function lockOf(
  placements: Placement[],
  unplaced: Record<string, number> = {},
  shapes: PreviousRevision[] = [],
): Lock {
  return { placements, unplaced: new Map(Object.entries(unplaced)), shapes };
}

/** What a deployment was whose container says things that YAML may read otherwise. */
export function formerly(id: string, gpus: number, said = ''): PreviousRevision {
  const members = [
    {
      nodeSelector: { devices: [{ name: 'gpu', count: gpus, selectors: [{ cel: 'true' }] }] },
      template: { spec: { containers: [{ name: 'engine', image: 'a', args: [said] }] } },
    },
  ];
  return recordRevision(aDeployment(id, { engines: [{ name: 'main', members }] }))!;
}

/** Some shapes of two deployments. */
export const SHAPES = [
  formerly('ml/x', 1, '{"a": [b]}, # "c": \\ \'d\''),
  formerly('ml/x', 2, 'line\r\nfeed\u2028\u0085\u0000 é'),
  formerly('ml/y', 1, '<<<<<<< HEAD'),
];
