import type { FleetDiff } from '../../../src/diff/fleet-diff';
import type { ApplyMode } from '../../../src/diff/serving-during-change';
import { describeApplied } from '../../../src/report/pull-request/heading';

/** A deployment whose replicas restart, each on a cluster and in a wave. */
function rolled(...places: [cluster: string, wave: number][]): FleetDiff['deployments'][number] {
  const changes = places.map(([cluster, wave]) => ({ action: 'roll', cluster, wave }));
  return { deployment: 'ml/q', changes } as unknown as FleetDiff['deployments'][number];
}

const SAME_TIME = ': replicas on different clusters may restart at the same time.';

test.each<[string, ApplyMode, string[], boolean]>([
  ['replicas on several clusters restart at the same time', 'perCluster', ['eu', 'us'], true],
  ['nothing of that of replicas on one cluster', 'perCluster', ['eu', 'eu'], false],
  ['nothing of that where all is replaced at once anyway', 'atOnce', ['eu', 'us'], false],
])('what the gate assumes says that %s', (_, applied, clusters, want) => {
  const deployments = [rolled(...clusters.map((cluster, i): [string, number] => [cluster, i + 1]))];
  expect(describeApplied(applied, { deployments }).join('').endsWith(SAME_TIME)).toBe(want);
});
