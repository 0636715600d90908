import type { DeploymentDiff } from '../../../src/diff/deployment-diff';
import { describeRestart } from '../../../src/report/pull-request/restart-causes';

/** What is said of a replica that restarts for an edit of a cluster, from nothing to 1. */
function stepsFor(...below: string[]): string | undefined {
  const path = ['spec', 'nodePools', '0', ...below];
  const field = { path, field: `spec.nodePools[h100].${below.join('.')}`, after: 1 };
  const causes = [{ id: 'InferenceCluster us', action: 'changed', field }];
  const change = { action: 'roll', cluster: 'us', index: 0, wave: 1, pools: { main: 'h100' }, causes };
  return describeRestart({ deployment: 'ml/q', changes: [change] } as unknown as DeploymentDiff).steps;
}

test('what a pool reserves of its nodes is named as reserved, and not as a device', () => {
  expect(stepsFor('reserved', 'devices', 'gpu')).toBe('reserved.devices.gpu 1 added');
  expect(stepsFor('nodeCount')).toBe('nodeCount 1 added');
});
