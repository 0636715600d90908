import type { Resource } from '../../src/api/kinds';
import { formatPullRequestComment } from '../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, type Doc, MACHINES } from '../api/build';
import { diff, state } from './build';

/** A replica on a node with an amount of CPU, and of memory in Gi, which its pods share. */
function served(amount: number, { replicas = 1, machine = {} }: { replicas?: number; machine?: Doc } = {}): Resource[] {
  const { provider, gke } = MACHINES.GKE;
  return [
    aClass('h100', {
      provisioning: { provider, gke: { ...gke, ...machine } },
      node: { allocatable: { cpu: amount, memory: `${amount}Gi` } },
    }),
    aCluster('us', { source: 'GKE', pools: { h100: { nodeCount: 4 } } }),
    aDeployment('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
  ];
}

/** The first sentences of the comment. */
function headline(before: Resource[], after: Resource[]): string {
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  return (
    formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context).split('\n')[2] ?? ''
  );
}

test.each<[string, Resource[], Resource[], string]>([
  [
    'more CPU and memory, and one downtime where their nodes are recreated too',
    served(100),
    served(200, { machine: { diskSizeGb: 500 } }),
    ', so pods request more CPU and memory). Recreates the nodes of the node pool `us/h100` one at a time (without a spare node), which restarts 1 replica too. ',
  ],
  [
    'less CPU and memory',
    served(200, { replicas: 2 }),
    served(100, { replicas: 2 }),
    ' (cpu 200 → 100, memory 200Gi → 100Gi, so pods request less CPU and memory)',
  ],
])('nodes with another amount to share say that pods request %s', (_, before, after, want) => {
  expect(headline(before, after)).toContain(want);
});
