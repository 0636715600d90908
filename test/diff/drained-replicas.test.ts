import type { Resource } from '../../src/api/kinds';
import { toDeploymentRows } from '../../src/report/pull-request/deployment-rows';
import { describeActions } from '../../src/report/pull-request/deployment-table';
import { aClass, aCluster, aDeployment, aMember, gpus, MACHINES } from '../api/build';
import { diff, state } from './build';

interface Row {
  source?: 'GKE' | 'Existing';

  /** The nodes before. Default: 2. Afterwards there is one less. */
  nodes?: number;

  /** The replicas of deployments a, b and so on, of two GPUs each. */
  replicas: number[];

  /** The least that deployment a needs. Default: one. */
  minAvailable?: number;
  copies?: number;
  want: unknown[];
}

function fleet(nodeCount: number, { source = 'Existing', replicas, minAvailable, copies = 1 }: Row): Resource[] {
  const engines = [{ name: 'main', copies, members: [aMember({ gpus: 2 })] }];
  return [
    aClass('h100', source === 'Existing' ? {} : { devices: [gpus(8)], provisioning: MACHINES[source] }),
    aCluster('us', { source, pools: { h100: { nodeCount } } }),
    ...replicas.map((count, i) =>
      aDeployment(`ml/${'ab'[i]}`, {
        replicas: count,
        engines,
        ...(i === 0 && minAvailable !== undefined && { minAvailable }),
      }),
    ),
  ];
}

const restarts = (deployment: string, replicas: number, before: number) => ({
  deployment,
  pools: ['us/h100'],
  replicas,
  serving: { before, least: before - 1 },
  accelerators: 2 * before,
});

const rows: Record<string, Row> = {
  'of two nodes, the one with the fewest pods has at most half of them': {
    replicas: [3],
    want: [restarts('ml/a', 1, 3)],
  },
  'of three nodes, one has at most a third': { nodes: 3, replicas: [4], want: [restarts('ml/a', 1, 4)] },
  'a single pod is on the other node': { replicas: [1], want: [] },
  'pods of all deployments count, and no more restart of one than it has': {
    nodes: 4,
    replicas: [2, 10],
    want: [restarts('ml/a', 2, 2), restarts('ml/b', 3, 10)],
  },
  'those without a replica to spare are on other nodes': { replicas: [1, 3], want: [restarts('ml/b', 3, 3)] },
  'any may restart where each node may have some of those': {
    nodes: 3,
    replicas: [2, 1],
    minAvailable: 2,
    want: [restarts('ml/a', 2, 2), restarts('ml/b', 1, 1)],
  },
  'replicas with copies serve meanwhile': { replicas: [2], copies: 2, want: [] },
  'where a cloud chooses nodes, changes of replicas say so': { source: 'GKE', replicas: [3], want: [] },
};

test.each(Object.entries(rows))('what restarts as nodes are drained: %s', (_, row) => {
  const { nodes = 2, want } = row;
  expect(diff(fleet(nodes, row), fleet(nodes - 1, row)).drainedReplicas ?? []).toEqual(want);
});

test('the table has a row of it, with what serves meanwhile', () => {
  const [was, is] = [fleet(2, { replicas: [3], want: [] }), fleet(1, { replicas: [3], want: [] })];
  const found = toDeploymentRows(diff(was, is), state('here', is).decision.plan);
  expect(found.map((row) => [describeActions(row), row.serving, row.replicas, row.accelerators.after])).toEqual([
    ['1 may restart: us/h100 gets fewer nodes', { withWaves: 2, perCluster: 2, atOnce: 2 }, { before: 3, after: 3 }, 6],
  ]);
});
