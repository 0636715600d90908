import type { Resource } from '../../src/api/kinds';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import { aClass, aMember } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const sites = (nodes: Record<string, number>, drained: readonly string[] = []): Resource[] => [
  aClass('h100'),
  ...Object.entries(nodes).map(([name, nodeCount]) =>
    aSite(name, {
      pools: { h100: { nodeCount } },
      labels: { zone: name.replace(/-.*/, '') },
      ...(drained.includes(name) && { taints: [{ key: 'gone', effect: 'NoExecute' }] }),
    }),
  ),
  aDoor(['us']),
];
/** A cluster whose pools are in one zone. */
function inZone(one: Resource): Resource {
  if (one.kind !== 'InferenceCluster') return one;
  const nodePools = one.spec.nodePools.map((pool) => ({ ...pool, zones: ['a'] }));
  return { ...one, spec: { ...one.spec, nodePools } };
}

const TWO = { eu: 4, us: 4 };
const THREE = { 'eu-1': 4, 'eu-2': 4, us: 4 };
const model = (change: object = {}) => aModel('ml/q', { replicas: 2, replicaLabels: { app: 'q' }, ...change });
const service = aSplit('ml/q', [to({ app: 'q' })]);
const zoned = (): Resource => {
  const { spec, ...rest } = model({ replicas: 3 });
  return { ...rest, spec: { ...spec, placement: { ...spec.placement, spreadBy: 'zone' } } };
};

const other = aModel('ml/next', { replicas: 1, replicaLabels: { app: 'next' } });
const both = aSplit('ml/q', [to({ app: 'q' }), to({ app: 'next' })]);

const least = (replicas: number, minAvailable: number): Resource => {
  const { spec, ...rest } = model({ replicas });
  return { ...rest, spec: { ...spec, minAvailable } };
};

/** Two replicas that fill a node each. */
const filled = (minAvailable: number): Resource => {
  const { spec, ...rest } = model({ engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
  return { ...rest, spec: { ...spec, minAvailable } } as Resource;
};

const wide = (gpus: number, replicas = 2): Resource =>
  model({ replicas, engines: [{ name: 'main', members: [aMember({ gpus })] }] });

/** A deployment that fills `eu`. */
const first = aModel('ml/first', {
  replicas: 1,
  priority: 9,
  clusterSelector: { matchLabels: { zone: 'eu' } },
  engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
});

/** A deployment that fills a node of `us`. */
const waiting = aModel('ml/waiting', {
  replicas: 1,
  clusterSelector: { matchLabels: { zone: 'us' } },
  engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }],
});

const preferringEu = ({ spec, ...rest }: Resource): Resource => {
  const placement = { policy: 'Preferred', preferred: [{ matchLabels: { zone: 'eu' } }] };
  return { ...rest, spec: { ...spec, placement } } as Resource;
};

const copied = (copies: number, replicas = 1): Resource =>
  model({ replicas, engines: [{ name: 'main', copies, members: [aMember({ gpus: 1 })] }] });

const cases: Record<string, { before: Resource[]; after: Resource[]; want: unknown[] }> = {
  'a service whose old replicas on another cluster still serve is warned of when the change is made': {
    before: [...sites(TWO), model(), service],
    after: [...sites(TWO, ['eu']), model(), service],
    want: [
      'ml/q has replicas on us only (before: eu, us) once the old ones are finalized: nothing serves it while us is down. Keep replicas on two clusters',
    ],
  },
  'it says so where the others have no room for what takes their place': {
    before: [...sites({ eu: 2, us: 3 }), wide(8, 4), service],
    after: [...sites({ eu: 2, us: 3 }, ['eu']), wide(8, 4), service],
    want: [
      expect.stringContaining('has replicas on us only (before: eu, us) once the old ones are replaced: nothing '),
    ],
  },
  'a new service is warned of that has several replicas on one of two clusters': {
    before: sites(TWO, ['eu']),
    after: [...sites(TWO, ['eu']), model(), service],
    want: [
      'ml/q has 2 replicas, all on us: nothing serves it while us is down. If it has to serve then, place replicas on two clusters',
    ],
  },
  'a new service in one zone is warned of with that': {
    before: sites(TWO, ['eu']).map(inZone),
    after: [...sites(TWO, ['eu']).map(inZone), model(), service],
    want: [expect.stringContaining('ml/q has 2 replicas, all on us (zone a): ')],
  },
  'a new service is warned of with what its deployments ask for after the loss of a cluster': {
    before: sites(TWO, ['eu']),
    after: [...sites(TWO, ['eu']), least(2, 1), other, both],
    want: [
      expect.stringContaining(
        'ml/q has 3 replicas, all on us: nothing serves it while us is down, below minAvailable: 1 of ml/q. ',
      ),
    ],
  },
  'nothing is said of a new service with a single replica': {
    before: sites(TWO, ['eu']),
    after: [...sites(TWO, ['eu']), model({ replicas: 1 }), service],
    want: [],
  },
  'nothing is said of a new service in a fleet of one cluster': {
    before: sites({ us: 4 }),
    after: [...sites({ us: 4 }), model(), service],
    want: [],
  },
  'nothing is said of a new service that is on two clusters': {
    before: sites(TWO),
    after: [...sites(TWO), model(), service],
    want: [],
  },
  'a deployment that no service selects is warned of too': {
    before: [...sites(TWO), model()],
    after: [...sites(TWO, ['eu']), model()],
    want: ['ml/q ends on us only (before: eu, us). Keep replicas on two clusters'],
  },
  'a deployment that no service selects is warned of with a minAvailable that another cluster did not leave either': {
    before: [...sites(TWO), least(2, 2)],
    after: [...sites(TWO, ['eu']), least(2, 2)],
    want: [
      'ml/q ends on us only (before: eu, us), below minAvailable: 2 while us is down. Keep replicas on two clusters',
    ],
  },
  'a minAvailable that any one cluster left is a warning of its own': {
    before: [...sites(TWO), least(2, 1)],
    after: [...sites(TWO, ['eu']), least(2, 1)],
    want: [
      'ml/q ends on us only (before: eu, us). Keep replicas on two clusters',
      expect.stringContaining('if us fails, no replica of ml/q is left, below minAvailable: 1 '),
    ],
  },
  'a deployment that ends in one domain of spreadBy is warned of': {
    before: [...sites(THREE), zoned()],
    after: [...sites(THREE, ['us']), zoned()],
    want: ['ml/q ends in eu only (before: eu, us), although it spreads by zone. Keep replicas on two clusters'],
  },
  'a cluster that old engines fill until they are finalized takes replicas again after that': {
    before: [...sites({ eu: 2, us: 1 }), wide(8), service],
    after: [...sites({ eu: 2, us: 1 }), wide(4), service],
    want: [
      "ml/q has replicas on eu only (before: eu, us) once the old ones are finalized: nothing serves it while eu is down. To spread again after 'lock --finalize': raise 'replicas' by 1, and lower it when the new replica serves",
    ],
  },
  'a cluster that a replica without a place fills then takes none again': {
    before: [...sites({ eu: 2, us: 1 }), wide(8), service],
    after: [...sites({ eu: 2, us: 1 }), wide(4), waiting, service],
    want: [
      'ml/q has replicas on eu only (before: eu, us) once the old ones are finalized: nothing serves it while eu is down. To stay on two clusters, keep or add room on us, which has none for another replica',
    ],
  },
  'a policy that puts a further replica on the same cluster does not spread them': {
    before: [...sites({ eu: 2, us: 1 }), wide(8), service],
    after: [...sites({ eu: 2, us: 1 }), preferringEu(wide(4)), service],
    want: [
      'ml/q has replicas on eu only (before: eu, us) once the old ones are finalized: nothing serves it while eu is down. Keep replicas on two clusters',
    ],
  },
  'a cluster without room for a replica takes none again': {
    before: [...sites({ eu: 2, us: 2 }), first, wide(8), service],
    after: [...sites({ eu: 1, us: 2 }), first, wide(8), service],
    want: [
      'ml/q has replicas on us only (before: eu, us): nothing serves it while us is down. To stay on two clusters, keep or add room on eu, which has none for another replica',
    ],
  },
  'a service that has the name of one of its deployments is called a service': {
    before: [...sites(TWO), model(), other, both],
    after: [...sites(TWO, ['eu']), model(), other, both],
    want: [expect.stringMatching(/^the service ml\/q has replicas on us only /)],
  },
  'a loss of a cluster that leaves fewer replicas than minAvailable is warned of where the change brings it': {
    before: [...sites(THREE), least(3, 2)],
    after: [...sites({ 'eu-1': 4, us: 4 }), least(3, 2)],
    want: [
      expect.stringMatching(
        /^if \S+ fails, 1 replica of ml\/q is left, below minAvailable: 2 \(before: 2 if any one cluster fails\)\. Set 'replicas: 4' \(room on us\/h100; cost unchanged\), or lower 'minAvailable'$/,
      ),
    ],
  },
  'so is a minAvailable that rises above what the loss of a cluster leaves': {
    before: [...sites(TWO), least(4, 2)],
    after: [...sites(TWO), least(4, 3)],
    want: [
      "if eu or us fails, 2 replicas of ml/q are left, below minAvailable: 3 (before: minAvailable: 2, which was met). Set 'replicas: 6' (room on eu/h100 and us/h100; cost unchanged), or keep 'minAvailable: 2'",
    ],
  },
  'so is one that is new, where replicas are on several clusters': {
    before: [...sites(TWO), model()],
    after: [...sites(TWO), least(2, 2)],
    want: [
      expect.stringMatching(
        /^if eu or us fails, 1 replica of ml\/q is left, below minAvailable: 2 \(before: no minAvailable\); the gate /,
      ),
    ],
  },
  'one that leaves room on no other cluster is to be kept': {
    before: [...sites({ eu: 1, us: 1 }), filled(1)],
    after: [...sites({ eu: 1, us: 1 }), filled(2)],
    want: [
      expect.stringMatching(/Make room for more replicas on other clusters, or keep 'minAvailable: 1'$/),
      expect.anything(),
    ],
  },
  'on one cluster, it is about rollouts alone': {
    before: [...sites({ us: 4 }), model()],
    after: [...sites({ us: 4 }), least(2, 1)],
    want: [],
  },
  'a minAvailable that the loss of a cluster still leaves is not': {
    before: [...sites(TWO), least(4, 1)],
    after: [...sites(TWO), least(4, 2)],
    want: [],
  },
  'one that rises and was not met before is not': {
    before: [...sites(TWO), least(2, 2)],
    after: [...sites(TWO), least(4, 3)],
    want: [],
  },
  'a minAvailable that no loss of a cluster left before is not': {
    before: [...sites({ us: 4 }), least(2, 1)],
    after: [...sites({ us: 4 }), least(3, 1)],
    want: [],
  },
  'a single replica that is left cannot spread': {
    before: [...sites(TWO), model(), service],
    after: [...sites(TWO), model({ replicas: 1 }), service],
    want: [expect.stringMatching(/ on (eu|us) only .* Keep replicas on two clusters$/), expect.anything()],
  },
  'one copy of several in the only replica is warned of, as one replica of several is': {
    before: [...sites(TWO), copied(2), service],
    after: [...sites(TWO), copied(1), service],
    want: [
      'ml/q has 1 copy of engine main instead of 2, in one replica: it does not serve while its pod restarts or its node is drained. Keep two replicas, or two copies of its engines',
    ],
  },
  'one copy of several in each of two replicas is not': {
    before: [...sites(TWO), copied(2, 2), service],
    after: [...sites(TWO), copied(1, 2), service],
    want: [],
  },
  'a deployment that stays on two clusters is not': {
    before: [...sites(THREE), model({ replicas: 3 }), service],
    after: [...sites(THREE, ['us']), model({ replicas: 3 }), service],
    want: [],
  },
};

test('a floor that rises has the place of that edit, and not of the replicas that come', () => {
  const [before, after] = [
    [...sites(TWO), least(2, 1)],
    [...sites(TWO), least(4, 3)],
  ];
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const change = { before: earlier.decision, after: later.decision, mustExist: [], at: 'a' };
  const found = findChangeWarnings(diff(before, after), change).find(({ code }) => code === 'lost-redundancy');
  expect(found?.at).toBe('ModelDeployment ml/q spec.minAvailable');
});

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const change = { before: earlier.decision, after: later.decision, mustExist: [], at: 'a' };
  const found = findChangeWarnings(diff(before, after), change);
  expect(
    found.filter(({ code }) => code === 'lost-redundancy').map(({ message, hint }) => `${message}. ${hint}`),
  ).toEqual(want);
});
