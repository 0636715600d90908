import type { DeploymentDiff } from '../../../src/diff/deployment-diff';
import { describeRestart } from '../../../src/report/pull-request/restart-causes';

/** What is said of a replica that restarts for an edit. */
function stepsOf(id: string, field: object, requests?: 'more'): string | undefined {
  const causes = [{ id, action: 'changed', field }];
  const change = { action: 'roll', cluster: 'us', index: 0, wave: 1, pools: { main: 'h100' }, causes, requests };
  return describeRestart({ deployment: 'ml/q', changes: [change] } as unknown as DeploymentDiff).steps;
}

/** The same of an edit of a cluster, from nothing to 1. */
function stepsFor(...below: string[]): string | undefined {
  const path = ['spec', 'nodePools', '0', ...below];
  return stepsOf('InferenceCluster us', { path, field: `spec.nodePools[h100].${below.join('.')}`, after: 1 });
}

test('what a pool reserves of its nodes is named as reserved, and not as a device', () => {
  expect(stepsFor('reserved', 'devices', 'gpu')).toBe('reserved.devices.gpu 1 added');
  expect(stepsFor('nodeCount')).toBe('nodeCount 1 added');
});

test('other hardware is not named where what pods request says why they restart', () => {
  const hardware = { path: ['spec', 'from'], field: 'spec.from', before: 'aws/a', after: 'aws/b' };
  expect(stepsOf('InferenceClass h100', hardware, 'more')).toBe('pods request more CPU and memory');
  expect(stepsOf('InferenceClass h100', hardware)).toBe('hardware aws/a → aws/b');
});
