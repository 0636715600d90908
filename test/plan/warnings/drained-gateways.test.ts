import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findDrainedGateways } from '../../../src/plan/warnings/cluster-warnings';
import { aCluster, aGateway, byPath } from '../../api/build';

const HINT = "Before you stop the cluster, remove 'us' from spec.clusters, with a new lock and synth";

describe('a gateway on a cluster', () => {
  const cases: Record<string, { effect: string; clusters: string[]; want: string[] }> = {
    'that is drained still accepts requests there': {
      effect: 'NoExecute',
      clusters: ['eu', 'us'],
      want: [`InferenceGateway g spec.clusters.1: us is to be drained, but still serves the gateway g. ${HINT}.`],
    },
    'that is the last one needs another cluster': {
      effect: 'NoExecute',
      clusters: ['us'],
      want: [
        `InferenceGateway g spec.clusters.0: us is to be drained, but still serves the gateway g. ${HINT}, and add a cluster that stays.`,
      ],
    },
    'that only takes no new replicas stays': { effect: 'NoSchedule', clusters: ['us'], want: [] },
    'that is not drained stays': { effect: 'NoExecute', clusters: ['eu'], want: [] },
  };
  test.each(Object.entries(cases))('%s', (_, { effect, clusters, want }) => {
    const us = aCluster('us', { taints: [{ key: 'maintenance', effect }] });
    const fleet = assemble([us, aCluster('eu'), aGateway('g', ...clusters)]);
    expect(locateAll(findDrainedGateways(fleet), byPath).map(formatDiagnostic)).toEqual(want);
  });

  test('that is lost is taken out of DNS, and out of the gateway', () => {
    const us = aCluster('us', { taints: [{ key: 'lost', effect: 'NoExecute' }] });
    const [gateway, named] = [aGateway('g', 'us', 'eu'), aGateway('h', 'us', 'eu')];
    named.spec.hostname = 'llm.example.com';
    const found = findDrainedGateways(assemble([us, aCluster('eu'), gateway, named]));
    expect(locateAll(found, byPath).map(formatDiagnostic)).toEqual([
      "InferenceGateway g spec.clusters.0: us is lost, and the gateway g lists it. Remove 'us' from spec.clusters.",
      "InferenceGateway h spec.clusters.0: us is lost, and the gateway h lists it. Take its address out of the DNS record of llm.example.com, and remove 'us' from spec.clusters.",
    ]);
  });

  test('that has a host leaves DNS first', () => {
    const us = aCluster('us', { taints: [{ key: 'maintenance', effect: 'NoExecute' }] });
    const gateway = aGateway('g', 'us', 'eu');
    gateway.spec.hostname = 'llm.example.com';
    const [found] = findDrainedGateways(assemble([us, aCluster('eu'), gateway]));
    expect(found?.hint).toBe(
      "Before you stop the cluster, take its address out of DNS, wait for the TTL of the record, and then remove 'us' from spec.clusters, with a new lock and synth",
    );
  });
});
