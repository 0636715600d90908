import type { FleetDiff } from '../../../src/diff/fleet-diff';
import { countWaves } from '../../../src/report/diff/cluster-waves';

/** A deployment whose replicas restart, each on a cluster and in a wave. */
function rolled(...places: [cluster: string, wave: number][]): FleetDiff['deployments'][number] {
  const changes = places.map(([cluster, wave]) => ({ action: 'roll', cluster, wave }));
  return { deployment: 'ml/q', changes } as unknown as FleetDiff['deployments'][number];
}

test.each<[string, [cluster: string, wave: number][], (number | undefined)[]]>([
  [
    'are none where it has one replica',
    [
      ['eu', 1],
      ['us', 2],
    ],
    [undefined, undefined],
  ],
  [
    'begin with 1 on each cluster',
    [
      ['eu', 1],
      ['eu', 2],
      ['us', 3],
      ['us', 4],
    ],
    [1, 2, 1, 2],
  ],
  [
    'are the same for replicas that restart together',
    [
      ['eu', 2],
      ['eu', 2],
      ['eu', 5],
    ],
    [1, 1, 2],
  ],
])('waves of a cluster %s', (_, places, want) => {
  expect(countWaves([rolled(...places)], 'perCluster')[0]?.changes.map(({ wave }) => wave)).toEqual(want);
});
