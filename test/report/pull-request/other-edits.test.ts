import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, aGrant, aMember, anEndpoint, type Doc } from '../../api/build';
import { comment } from './unplaced-comment';

const deployment = (id: string, spec: Doc = {}): Resource =>
  aDeployment(id, { ...spec, engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });
const place = (nodeCount = 2): Resource[] => [aClass('h100'), aCluster('us', { pools: { h100: { nodeCount } } })];

test.each<[string, Resource[], Resource[], string]>([
  [
    'an edit of which no clause has room to say what it means is cited behind the others',
    [...place(), deployment('ml/a'), deployment('ml/b'), deployment('ml/z')],
    [...place(3), deployment('ml/a', { replicas: 2 }), deployment('ml/z', { priority: 5 })],
    'Removes `ml/b`, adds 1 replica of `ml/a`, and declares 3 nodes instead of 2 in the node pool `us/h100`. Edits `spec.priority` of `ml/z` (edit 4). ',
  ],
  [
    'several are cited together',
    [...place(), deployment('ml/a'), deployment('ml/z')],
    [
      ...place(),
      deployment('ml/a', { replicas: 2 }),
      deployment('ml/z', { allowPartial: true, rollout: { parallel: 2 } }),
    ],
    'Adds 1 replica of `ml/a`, and edits `spec.allowPartial` and `rollout.parallel` of `ml/z` (edits 2 and 3), which changes nothing that runs. ',
  ],
  [
    'those of several declarations are counted, and what is new is named',
    [...place(4), deployment('ml/a'), ...['w', 'x', 'y', 'z'].map((name) => deployment(`ml/${name}`))],
    [
      ...place(4),
      deployment('ml/a', { replicas: 2 }),
      ...['w', 'x', 'y', 'z'].map((name) => deployment(`ml/${name}`, { allowPartial: true })),
      anEndpoint('ml/b'),
    ],
    'Adds 1 replica of `ml/a`, and edits `spec.allowPartial` of 4 declarations and adds ModelEndpoint `ml/b` (edits 2 to 6), which changes nothing that runs. ',
  ],
  [
    'a Grant may allow what other edits add',
    [...place(), deployment('ml/a')],
    [...place(), deployment('ml/a', { replicas: 2 }), aGrant('ml/web', 'web', { kind: 'ModelDeployment' })],
    'Adds 1 replica of `ml/a`, and adds Grant `ml/web` (edit 1). ',
  ],
  [
    'one that decides how replicas of the change roll is not without effect',
    [...place(), deployment('ml/a')],
    [...place(), deployment('ml/a', { replicas: 2, rollout: { parallel: 2 } })],
    'Adds 1 replica of `ml/a`, and edits `rollout.parallel` of `ml/a` (edit 2). ',
  ],
  [
    'one that a clause explains is not',
    [...place(), deployment('ml/a'), deployment('ml/z')],
    [...place(), deployment('ml/a', { replicas: 2 }), deployment('ml/z', { priority: 5 })],
    'Adds 1 replica of `ml/a`, and raises the priority of `ml/z` from 0 to 5. ',
  ],
  [
    'one of replicas that have no place is not',
    [...place(1), deployment('ml/a')],
    [...place(1), deployment('ml/a', { replicas: 9 })],
    'Finds no place for 1 of 9 replicas of `ml/a`, and adds 7 replicas of `ml/a`. ',
  ],
])('%s', (_, before, after, want) => {
  expect(comment(before, after).split('\n')[2]).toContain(want);
});
