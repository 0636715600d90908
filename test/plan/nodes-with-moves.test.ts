import { assemble } from '../../src/fleet/fleet';
import { addNodesWithMoves } from '../../src/plan/nodes-with-moves';
import { decide } from '../../src/plan/decide';
import type { DeploymentPlan } from '../../src/plan/plan';
import { formatRemedyLines } from '../../src/report/plan/remedy-text';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc } from '../api/build';
import { terminalLines } from '../../src/report/document/write-terminal';

const H100 = aClass('h100', { price: { perHour: 10 } });
const site = (name: string, pool: Doc) => aCluster(name, { pools: { h100: pool } });
const taking = (id: string, gpus: number, spec: Doc = {}) =>
  aDeployment(id, { engines: [{ name: 'main', members: [aMember({ gpus })] }], ...spec });
const onCluster = (name: string): Doc => ({ clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': name } } });

/** Two replicas of a GPU each keep both nodes of us from one that takes two whole nodes there. One of them may move to eu. */
const pinned = taking('ml/pinned', 1, onCluster('us'));
const small = taking('ml/small', 1);
const pair = aDeployment('ml/pair', {
  ...onCluster('us'),
  engines: [{ name: 'main', copies: 2, members: [aMember({ gpus: 8 })] }],
});

interface Row {
  /** The pool of eu, and the GPUs that are taken there. */
  eu?: Doc;
  taken?: number;
  also?: ReturnType<typeof taking>[];
  want: string[];
}

function decideNext({ eu = { nodeCount: 1 }, taken = 7, also = [] }: Omit<Row, 'want'>) {
  const us = [H100, site('us', { nodeCount: 2 })];
  const { lock } = decide(assemble([...us, pinned, small]), byPath, EMPTY_LOCK);
  const others = taken > 0 ? [taking('ml/taken', taken, onCluster('eu'))] : [];
  return decide(assemble([...us, site('eu', eu), pinned, small, pair, ...others, ...also]), byPath, lock);
}

const TWO = '2 more nodes in us / h100 (16 GPUs, +$14,600 a month)';
const ONE =
  '1 more node in us / h100 (8 GPUs, +$7,300 a month), then move 1 replica of ml/small from us to eu, without downtime: fleetwright lock DIR --rebalance ml/small; when the moved replicas serve, in one change: fleetwright lock DIR --finalize; fleetwright lock DIR';

const rows: Record<string, Row> = {
  'fewer nodes and a move come before the nodes that are enough alone, with all commands': {
    want: [`cheapest: ${ONE}`, `or: ${TWO}`],
  },
  'they are not offered where no replica has room elsewhere': { taken: 8, want: [`cheapest: ${TWO}`] },
  'they are not offered where an autoscaler starts a node for the moved replica, which costs as much': {
    eu: { minNodeCount: 0, maxNodeCount: 1 },
    taken: 0,
    want: [`cheapest: ${TWO}`],
  },
  'they are not offered where another replica has no place either': {
    also: [taking('ml/unplaced', 8, onCluster('eu'))],
    want: [`cheapest: ${TWO}`],
  },
};

test.each(Object.entries(rows))('where one replica has no place, %s', (_, { want, ...row }) => {
  const { plan } = decideNext(row);
  const short = plan.deployments.find(({ deployment }) => deployment === 'ml/pair')?.shortfall;
  const lines = short ? terminalLines(formatRemedyLines(short)) : [];
  expect(lines.filter((line) => line.includes('more node'))).toEqual(want);
});

test.each([
  ['are added', {}, true],
  ['are left out where too few replicas serve while they move', { stops: ['ml/small'] }, false],
])('nodes with moves %s', (_, judged, isAdded) => {
  const { plan, ...placed } = decideNext({});
  const plans = plan.deployments.map(({ shortfall, ...one }) => ({
    ...one,
    ...(shortfall && {
      shortfall: { ...shortfall, remedies: shortfall.remedies.filter(({ kind }) => kind === 'nodes') },
    }),
  }));
  const judge = (some: readonly DeploymentPlan[]): DeploymentPlan[] =>
    some.map(({ shortfall, ...one }) => ({
      ...one,
      ...(shortfall && {
        shortfall: { ...shortfall, remedies: shortfall.remedies.map((remedy) => ({ ...remedy, ...judged })) },
      }),
    }));
  const kinds = addNodesWithMoves(plans, placed, judge).flatMap(({ shortfall }) =>
    (shortfall?.remedies ?? []).map(({ kind }) => kind),
  );
  expect(kinds.includes('nodes-and-moves')).toBe(isAdded);
});
