import type { FleetDiff } from '../../src/diff/fleet-diff';
import { findIdleNodes } from '../../src/diff/idle-nodes';

const raise = (before: number, after: number) => ({
  id: 'InferenceCluster us',
  action: 'changed',
  fields: [{ field: 'spec.nodePools[h100].nodeCount', before, after, where: 'us.yaml:1:1', path: [] }],
});
const placed = (deployment: string, action: string, cluster = 'us') => ({
  deployment,
  changes: [{ action, cluster, index: 0, pools: { main: 'h100' }, causes: [] }],
});

test.each<[string, { edit?: object; deployments: object[] }, number]>([
  ['a new replica alone are idle without it', { deployments: [placed('ml/q', 'place')] }, 1],
  [
    'a new replica and another one that moves there are not',
    { deployments: [placed('ml/q', 'place'), placed('ml/r', 'move')] },
    0,
  ],
  ['a new replica elsewhere are idle with it too', { deployments: [placed('ml/q', 'place', 'eu')] }, 0],
  [
    'two new replicas, of which one stays, are not',
    { deployments: [placed('ml/q', 'place'), placed('ml/q', 'place')] },
    0,
  ],
  ['that the change removes are no purchase', { edit: raise(2, 1), deployments: [placed('ml/q', 'place')] }, 0],
])('nodes for %s', (_, { edit = raise(1, 2), deployments }, want) => {
  const diff = { declarations: [edit], deployments } as unknown as FleetDiff;
  expect(findIdleNodes({ deployment: 'ml/q', from: 2, to: 1 }, diff)).toHaveLength(want);
});
