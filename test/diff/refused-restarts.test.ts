import type { Resource } from '../../src/api/kinds';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { aClass, aMember } from '../api/build';
import { aModel, aSite } from '../routing/build';
import { diff, state } from './build';

const sites = (nodes: Record<string, number>): Resource[] => [
  aClass('h100'),
  ...Object.entries(nodes).map(([name, nodeCount]) =>
    aSite(name, { pools: { h100: { nodeCount } }, labels: { zone: name } }),
  ),
];

const least = (replicas: number, minAvailable: number | undefined, rollout: object = {}, gpus = 1): Resource => {
  const engines = [{ name: 'main', members: [aMember({ gpus })] }];
  const { spec, ...rest } = aModel('ml/q', { replicas, engines });
  const changed = { ...spec, rollout: { ...spec.rollout, ...rollout } };
  return { ...rest, spec: { ...changed, ...(minAvailable !== undefined && { minAvailable }) } } as Resource;
};

const TWO = { eu: 4, us: 4 };

interface Row {
  readonly fleet?: Record<string, number>;
  readonly before: Resource;
  readonly after: Resource;
  readonly applied?: ApplyMode;
  readonly want: unknown[];
}

const cases: Record<string, Row> = {
  'a minAvailable above what serves in a restart is warned of once, with the replicas that are enough for all': {
    before: least(4, 2),
    after: least(4, 3),
    applied: 'perCluster',
    want: [
      "if eu or us fails, 2 replicas of ml/q are left, below minAvailable: 3 (before: minAvailable: 2, which was met); the gate refuses each later restart of ml/q: 2 of its 4 replicas serve during rollout if clusters are applied independently, below minAvailable: 3. Set 'replicas: 6' (room on eu/h100 and us/h100; cost unchanged), or keep 'minAvailable: 2'",
    ],
  },
  'it is not where clusters are applied one after the other, and enough serve': {
    before: least(4, 2),
    after: least(4, 3),
    want: [expect.stringContaining('if eu or us fails, 2 replicas of ml/q are left')],
  },
  'it is on one cluster too': {
    fleet: { us: 4 },
    before: least(4, 2),
    after: least(4, 4),
    want: [
      "the gate refuses each later restart of ml/q: 3 of its 4 replicas serve during rollout, below minAvailable: 4. Set 'rollout.surge: 1' (there is room for it) or 'replicas: 5', or keep 'minAvailable: 2'",
    ],
  },
  'a former minAvailable is not advised where it is not met either, but the former replicas are': {
    before: least(4, 2),
    after: least(2, 1),
    applied: 'perCluster',
    want: [
      "the gate refuses each later restart of ml/q: 0 of its 2 replicas serve during rollout if clusters are applied independently, below minAvailable: 1. Set 'rollout.surge: 1' (there is room for it) or 'replicas: 3', or keep 'replicas: 4'",
    ],
  },
  'fewer replicas are warned of too, where minAvailable stays': {
    fleet: { us: 4 },
    before: least(3, 2),
    after: least(2, 2),
    want: [
      "the gate refuses each later restart of ml/q: 1 of its 2 replicas serves during rollout, below minAvailable: 2. Set 'rollout.surge: 1' (there is room for it), or keep 'replicas: 3'",
    ],
  },
  'a surge without room is not advised': {
    fleet: { us: 1 },
    before: least(2, 1, {}, 4),
    after: least(2, 2, {}, 4),
    want: [expect.stringMatching(/\. Make room for a surge, or keep 'minAvailable: 1'$/)],
  },
  'nothing is said where a surge keeps all replicas serving': {
    fleet: { us: 4 },
    before: least(4, 2, { surge: 1 }),
    after: least(4, 4, { surge: 1 }),
    want: [],
  },
  'nothing is said where downtime is accepted': {
    fleet: { us: 4 },
    before: least(4, 2, { strategy: 'Recreate' }),
    after: least(4, 4, { strategy: 'Recreate' }),
    want: [],
  },
  'nothing is said where restarts were refused before': {
    fleet: { us: 4 },
    before: least(4, 4),
    after: least(5, 5),
    want: [],
  },
};

function findLost({ fleet = TWO, before, after, applied }: Omit<Row, 'want'>) {
  const [was, is] = [
    [...sites(fleet), before],
    [...sites(fleet), after],
  ];
  const earlier = state('main', was);
  const later = state('here', is, earlier.decision.lock, earlier);
  const change = {
    before: earlier.decision,
    after: later.decision,
    mustExist: [],
    at: 'a',
    ...(applied && { applied }),
  };
  return findChangeWarnings(diff(was, is), change).filter(({ code }) => code === 'lost-redundancy');
}

test.each(Object.entries(cases))('%s', (_, { want, ...row }) => {
  expect(findLost(row).map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
});

test.each([
  ['fewer replicas, not a lower minAvailable', least(2, 1), 'spec.replicas'],
  ['a higher minAvailable', least(4, 3), 'spec.minAvailable'],
])('the edit to blame is %s', (_, after, want) => {
  const found = findLost({ before: least(4, 2), after, applied: 'perCluster' });
  expect(found.map(({ at }) => at)).toEqual([expect.stringContaining(want)]);
});
