import { findReplicaCauses } from '../../src/diff/replica-causes';
import { assemble } from '../../src/fleet/fleet';
import { aDeployment } from '../api/build';

test('replicas restart for what changes their pods, not for the budget or the policy next to them', () => {
  const deployment = aDeployment('ml/q');
  const edits = [
    'spec.minAvailable',
    'spec.networkPolicy.from',
    'spec.template.spec.engines[main].members[0].template',
  ];
  const fields = edits.map((field) => ({ field, path: [], where: 'a.yaml:1:1' }));
  const changed = { id: 'ModelDeployment ml/q', action: 'changed' as const, where: 'a.yaml:1:1', fields };
  const context = { changed: new Map([[changed.id, changed]]), fleet: assemble([deployment]), deployment };
  const rolled = { action: 'roll', cluster: 'us', index: 0, pools: { main: 'h100' } } as const;
  expect(findReplicaCauses(rolled, context).map(({ field }) => field?.field)).toEqual(edits.slice(2));
});
