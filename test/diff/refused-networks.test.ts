import { findRefusedNetworks } from '../../src/diff/refused-networks';
import { aClass, aCluster, aDeployment, type Doc, MACHINES } from '../api/build';
import { diff, state } from './build';

type Cloud = 'GKE' | 'EKS' | 'AKS';

const CLOUDS: Readonly<Record<Cloud, { place: Doc; elsewhere: Doc; zones: string[] }>> = {
  GKE: { place: { region: 'us-central1' }, elsewhere: { region: 'us-east4' }, zones: ['us-central1-a'] },
  EKS: { place: { region: 'us-east-1' }, elsewhere: { region: 'us-west-2' }, zones: ['us-east-1a'] },
  AKS: { place: { location: 'westeurope' }, elsewhere: { location: 'swedencentral' }, zones: ['1'] },
};

/** A fleet of one cluster, with the fields of its cloud and the range of its network. */
function fleet(cloud: Cloud, cidr?: string, place = CLOUDS[cloud].place) {
  const zones = place === CLOUDS[cloud].place ? CLOUDS[cloud].zones : [];
  return [
    aClass('h100', { provisioning: MACHINES[cloud] }),
    aCluster('us', {
      pools: { h100: zones.length > 0 ? { zones } : {} },
      cluster: { source: cloud, [cloud.toLowerCase()]: place },
      ...(cidr !== undefined && { network: { cidr } }),
    }),
    aDeployment('ml/q'),
  ];
}

describe.each(['GKE', 'EKS', 'AKS'] as const)('the range of a network on %s', (cloud) => {
  const before = fleet(cloud);
  const warn = (after: ReturnType<typeof fleet>): string[] => {
    const states = { after: state('here', after).decision, at: 'fleet' };
    return findRefusedNetworks(diff(before, after), states).map(({ message, hint }) => `${message}. ${hint}`);
  };

  test('cannot change while the cluster uses it', () => {
    expect(warn(fleet(cloud, '10.8.0.0/16'))).toEqual([
      `the network of us gets another range, which ${cloud} refuses while the cluster uses it: the change cannot be applied. Keep the range. If you need another one, declare the new cluster next to the old one, and remove the old one when its replicas have moved`,
    ]);
  });

  test('takes down no replica when it is refused', () => {
    expect(diff(before, fleet(cloud, '10.8.0.0/16')).deployments).toEqual([]);
  });

  test('is not refused where it stays the same', () => {
    expect(warn(fleet(cloud))).toEqual([]);
  });
});
