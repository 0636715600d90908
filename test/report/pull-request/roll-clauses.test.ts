import type { DeploymentRow } from '../../../src/report/pull-request/deployment-rows';
import { listRollClauses } from '../../../src/report/pull-request/roll-clauses';

interface Rolled {
  readonly names?: readonly string[];
  readonly roll: number;
  readonly atATime?: number;
  readonly clusters?: DeploymentRow['clusters'];
  readonly image?: string;
}

/** Deployments whose replicas all restart for a cluster, while others of them serve. */
function rowOf({ names = ['ml/a'], roll, atATime = 1, clusters, image }: Rolled): DeploymentRow {
  const serving = { withWaves: 1, perCluster: 1, atOnce: 1 };
  return {
    deployments: names,
    actions: { roll, move: 0 },
    atATime,
    clusters,
    replicas: { before: roll, after: roll },
    accelerators: { before: roll, after: roll, draining: 0 },
    serving,
    applied: 'withWaves',
    ...(image === undefined ? { restartsFor: 'InferenceCluster us' } : { image: { after: image } }),
  } as unknown as DeploymentRow;
}

const two = (one: Partial<Rolled> = {}, other: Partial<Rolled> = {}) => [
  { roll: 2, ...one },
  { names: ['ml/b'], roll: 2, ...one, ...other },
];

const WHY = ', because cluster `us` changed';

const cases: Record<string, { rows: Rolled[]; want: string }> = {
  'one deployment is counted in front of its pace': {
    rows: [{ roll: 2 }],
    want: `restarts 2 replicas of \`ml/a\` one replica at a time${WHY}`,
  },
  'deployments with as many replicas share their number': {
    rows: two(),
    want: `restarts 2 replicas each of \`ml/a\` and \`ml/b\`, one of each at a time${WHY}`,
  },
  'other numbers are said of each': {
    rows: two({}, { roll: 3 }),
    want: `restarts 2 replicas of \`ml/a\` and 3 of \`ml/b\`, one of each at a time${WHY}`,
  },
  'the number that restarts at a time is that of each': {
    rows: two({ roll: 4, atATime: 2, clusters: 'alongside' }),
    want: `restarts 4 replicas each of \`ml/a\` and \`ml/b\`, 2 of each at a time on each cluster${WHY}`,
  },
  'replicas on clusters that follow each other restart one after the other': {
    rows: two({ clusters: 'inTurn' }),
    want: `restarts 2 replicas each of \`ml/a\` and \`ml/b\`, one of each after the other, cluster by cluster${WHY}`,
  },
  'deployments of one row have a sum, unless each has one replica': {
    rows: [{ names: ['ml/a', 'ml/b'], roll: 4 }],
    want: `restarts 4 replicas of \`ml/a\` and \`ml/b\`, one of each at a time${WHY}`,
  },
  'more deployments than are named have a sum': {
    rows: [...two(), { names: ['ml/c'], roll: 3 }, { names: ['ml/d'], roll: 3 }],
    want: `restarts 10 replicas of 4 deployments, one of each at a time${WHY}`,
  },
  'an image names what restarts at a time, because nothing is counted in front of it': {
    rows: two({ image: 'v2' }),
    want: 'rolls `ml/a` and `ml/b` to `v2` one replica of each at a time',
  },
};

test.each(Object.entries(cases))('%s', (_, { rows, want }) => {
  expect(listRollClauses(rows.map(rowOf)).map(({ text }) => text)).toEqual([want]);
});
