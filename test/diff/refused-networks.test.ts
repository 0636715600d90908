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
function fleet(cloud: Cloud, network: Doc = {}, place = CLOUDS[cloud].place) {
  const zones = place === CLOUDS[cloud].place ? CLOUDS[cloud].zones : [];
  return [
    aClass('h100', { provisioning: MACHINES[cloud] }),
    aCluster('us', {
      pools: { h100: zones.length > 0 ? { zones } : {} },
      cluster: { source: cloud, [cloud.toLowerCase()]: place },
      network,
    }),
    aDeployment('ml/q'),
  ];
}

function warn(before: ReturnType<typeof fleet>, after: ReturnType<typeof fleet>): string[] {
  const states = { after: state('here', after).decision, at: 'fleet' };
  return findRefusedNetworks(diff(before, after), states).map(({ message, hint }) => `${message}. ${hint}`);
}

const NEXT = 'declare the new cluster next to the old one, and remove the old one when its replicas have moved';
const FIXED = 'AKS refuses for a cluster that exists: the change cannot be applied';
const PRIVATE = { private: true };
const SOME = { authorizedNetworks: ['192.0.2.0/24'] };

describe('the Kubernetes API of a cluster on AKS', () => {
  test.each<[string, Doc, Doc, string[]]>([
    [
      'cannot become private',
      {},
      PRIVATE,
      [
        `the Kubernetes API of us gets a private address only, which ${FIXED}. Keep 'network.private: false'. If you need the other value, ${NEXT}`,
      ],
    ],
    [
      'cannot become public',
      PRIVATE,
      {},
      [
        `the Kubernetes API of us is no longer private, which ${FIXED}. Keep 'network.private: true'. If you need the other value, ${NEXT}`,
      ],
    ],
    ['cannot become private in place of some networks', SOME, PRIVATE, [expect.stringContaining(FIXED)]],
    ['can accept other networks', SOME, { authorizedNetworks: ['198.51.100.0/24'] }, []],
    ['can accept some networks only', {}, SOME, []],
    ['can accept all networks again', SOME, {}, []],
  ])('%s', (_, before, after, want) => {
    const [was, is] = [fleet('AKS', before), fleet('AKS', after)];
    expect(warn(was, is)).toEqual(want);
    expect(diff(was, is).cloud.map(({ action }) => action)).toEqual(['change']);
  });

  test.each(['GKE', 'EKS'] as const)('is no matter of network.private on %s', (cloud) => {
    expect(warn(fleet(cloud), fleet(cloud, PRIVATE))).toEqual([]);
  });
});

describe.each(['GKE', 'EKS', 'AKS'] as const)('the range of a network on %s', (cloud) => {
  const before = fleet(cloud);

  test('cannot change while the cluster uses it', () => {
    expect(warn(before, fleet(cloud, { cidr: '10.8.0.0/16' }))).toEqual([
      `the network of us gets another range, which ${cloud} refuses while the cluster uses it: the change cannot be applied. Keep the range. If you need another one, ${NEXT}`,
    ]);
  });

  test('takes down no replica when it is refused', () => {
    expect(diff(before, fleet(cloud, { cidr: '10.8.0.0/16' })).deployments).toEqual([]);
  });

  test('is not refused where it stays the same', () => {
    expect(warn(before, fleet(cloud))).toEqual([]);
  });
});
