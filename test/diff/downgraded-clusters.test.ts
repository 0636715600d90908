import { findDowngrades } from '../../src/diff/downgraded-clusters';
import { aClass, aCluster, aDeployment, type Doc, MACHINES } from '../api/build';
import { diff, state } from './build';

type Cloud = 'GKE' | 'EKS' | 'AKS';

const CLOUDS: Readonly<Record<Cloud, { place: Doc; zones?: string[] }>> = {
  GKE: { place: { region: 'us-central1' }, zones: ['us-central1-a'] },
  EKS: { place: { region: 'us-east-1' }, zones: ['us-east-1a'] },
  AKS: { place: { location: 'westeurope' } },
};

function fleet(cloud: Cloud, kubernetesVersion: string) {
  const { place, zones } = CLOUDS[cloud];
  const cluster = { source: cloud, [cloud.toLowerCase()]: { ...place, kubernetesVersion } };
  return [
    aClass('h100', { provisioning: MACHINES[cloud] }),
    aCluster('us', { pools: { h100: zones ? { zones } : {} }, cluster }),
    aDeployment('ml/q'),
  ];
}

function warnings(before: ReturnType<typeof fleet>, after: ReturnType<typeof fleet>): string[] {
  const change = diff(before, after);
  const states = { before: state('main', before).decision, after: state('here', after).decision, at: 'fleet' };
  return findDowngrades(change, states).map(({ message, hint }) => `${message}. ${hint}`);
}

test.each(['GKE', 'EKS', 'AKS'] as const)('%s does not downgrade clusters', (cloud) => {
  expect(warnings(fleet(cloud, '1.36'), fleet(cloud, '1.35'))).toEqual([
    `us has Kubernetes 1.35 instead of 1.36, and ${cloud} does not downgrade clusters. If it runs 1.36, keep that, or declare another cluster and move its replicas there`,
  ]);
});

test('an upgrade is no downgrade', () => {
  expect(warnings(fleet('EKS', '1.35'), fleet('EKS', '1.36'))).toEqual([]);
});
