import type { Resource } from '../../../src/api/kinds';
import { attempt } from '../../../src/base/attempt';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { byPath } from '../../api/build';
import { cluster, deployment, nodeClass } from '../../scheduler/build';

interface Row {
  /** The nodes of the pool when the lock was made, and now. Default: two. */
  before?: number;
  nodes?: number;
  /** The GPUs, priority and surge of deployments a, b and so on. The lock has them without a surge. */
  deployments: { gpus: number; surge?: 1; priority?: number }[];
  want: string[];
}

const REFUSED = 'ModelDeployment ml/NAME spec.rollout.surge: there is no room for the surge on us/h100';

/** On three nodes, a surge of one GPU and one of eight, whose deployment has a priority. */
const twoSurges = (priority: number): Omit<Row, 'want'> => ({
  before: 3,
  nodes: 3,
  deployments: [
    { gpus: 1, surge: 1 },
    { gpus: 8, surge: 1, priority },
  ],
});

const cases: Record<string, Row> = {
  'a surge with room is fine': { deployments: [{ gpus: 4, surge: 1 }, { gpus: 4 }], want: [] },
  'a surge without room is refused, and moves neither its replica nor another': {
    deployments: [{ gpus: 8, surge: 1 }, { gpus: 4 }],
    want: [REFUSED.replace('NAME', 'a')],
  },
  'of two surges, the one that reserves the most is refused': {
    ...twoSurges(0),
    want: [REFUSED.replace('NAME', 'b')],
  },
  'but that of a higher priority is not': {
    ...twoSurges(1),
    want: [REFUSED.replace('NAME', 'a')],
  },
  'where nodes go, it is refused too': {
    nodes: 1,
    deployments: [{ gpus: 8, surge: 1 }],
    want: [REFUSED.replace('NAME', 'a')],
  },
};

function fleetWith({ nodes = 2, deployments }: Pick<Row, 'nodes' | 'deployments'>): Resource[] {
  const all = deployments.map(({ gpus, surge, priority = 0 }, i) =>
    deployment(`ml/${'abc'[i]}`, { gpus, spec: { priority, ...(surge && { rollout: { surge } }) } }),
  );
  return [nodeClass('h100'), cluster('us', { h100: `h100 x ${nodes}` }), ...all];
}

test.each(Object.entries(cases))('%s', (_, { want, before = 2, ...row }) => {
  const earlier = fleetWith({ nodes: before, deployments: row.deployments.map(({ surge: _s, ...one }) => one) });
  const { lock } = decide(assemble(earlier), byPath, EMPTY_LOCK);
  const decided = attempt(() => decide(assemble(fleetWith(row)), byPath, lock));
  const problems = 'problems' in decided ? decided.problems : [];
  expect(problems.map(({ at, message }) => `${at}: ${message}`.split(':').slice(0, 2).join(':'))).toEqual(want);
  if ('value' in decided) expect(decided.value.lock.placements).toEqual(lock.placements);
});
