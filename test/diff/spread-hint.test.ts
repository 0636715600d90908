import type { Resource } from '../../src/api/kinds';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import { aClass, aDeployment, anEngine, type Doc, gpus, MACHINES, request } from '../api/build';
import { aDoor, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

/** Classes of two clusters, of which the devices of `eu` may be written otherwise. */
const classes = (devices: Doc = {}): Resource[] => [
  aClass('first'),
  aClass('us'),
  aClass('eu', { devices: [gpus(8, devices)] }),
];

/** Clusters with a pool each of the replicas, after one that they never use. */
const sites = (eu: Doc = {}): Resource[] => [
  aSite('us', { pools: { us: 2 } }),
  aSite('eu', { pools: { first: 0, eu: 2 }, ...eu }),
  aDoor(['us']),
];

/** Two replicas of all GPUs of a node, on devices of one architecture. */
const model = (more: Doc = {}, gpusEach = 8): Resource =>
  aDeployment('ml/q', {
    replicas: 2,
    replicaLabels: { app: 'q' },
    engines: [
      anEngine('main', {
        devices: [request('gpu', gpusEach, 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"')],
      }),
    ],
    ...more,
  });
const service = aSplit('ml/q', [to({ app: 'q' })]);
const onSite = (...values: string[]): Doc => ({
  clusterSelector: { matchExpressions: [{ key: 'site', operator: 'In', values }] },
});

const machine = { provisioning: MACHINES.GKE };
/** Made clusters: another region replaces them with all their nodes. */
const made = (region: string, devices: Doc = {}, other = 'us-central1'): Resource[] => [
  aClass('us', machine),
  aClass('eu', { ...machine, devices: [gpus(8, devices)] }),
  aSite('us', {
    cluster: { source: 'GKE', gke: { region: other } },
    pools: { us: { nodeCount: 2, zones: [`${other}-a`] } },
  }),
  aSite('eu', {
    cluster: { source: 'GKE', gke: { region } },
    pools: { eu: { nodeCount: 2, zones: [`${region}-b`] } },
  }),
  aDoor(['us']),
];

interface Row {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];

  /** Where the warning is, and its advice. */
  readonly want: readonly [string, unknown];
}

const ALL = [...sites(), model(), service];
const cases: Record<string, Row> = {
  'devices that match no more are to be changed, on the pool that had replicas, and room would not help': {
    before: [...classes(), ...ALL],
    after: [...classes({ architecture: 'Hoper' }), ...ALL],
    want: [
      'InferenceClass eu spec.devices.0.attributes.architecture.string',
      'To stay on two clusters, change what keeps replicas off eu: pool eu: gpu: architecture is "Hoper", not "Hopper" (selector 1)',
    ],
  },
  'the edit that drives replicas off is named, and not one that replaces the cluster too': {
    before: [...made('europe-west4'), model(), service],
    after: [...made('europe-west1', { architecture: 'Hoper' }), model(), service],
    want: [
      'InferenceClass eu spec.devices.0.attributes.architecture.string',
      expect.stringMatching(/^To stay on two clusters, change what keeps replicas off eu: pool eu: gpu: architecture /),
    ],
  },
  'it is named too where no service has requests for them, and others restart first': {
    before: [...made('europe-west4'), model()],
    after: [...made('europe-west4', { architecture: 'Hoper' }, 'us-west1'), model()],
    want: ['InferenceClass eu spec.devices.0.attributes.architecture.string', expect.anything()],
  },
  'a selector that leaves a cluster out is to be changed': {
    before: [...classes(), ...ALL],
    after: [...classes(), ...sites(), model(onSite('us')), service],
    want: [
      expect.stringContaining('clusterSelector'),
      "To stay on two clusters, change what keeps replicas off eu: site in (us) is not met: it is 'eu'",
    ],
  },
  'a cluster that is full as well as ruled out is to be changed first': {
    before: [...classes(), ...ALL],
    after: [...classes(), ...sites({ pools: { first: 0, eu: 0 } }), model(onSite('us')), service],
    want: [expect.anything(), expect.stringContaining('change what keeps replicas off eu: ')],
  },
  'only where room is short, more of it is the advice': {
    before: [...classes(), ...ALL],
    after: [...classes(), ...sites({ pools: { first: 0, eu: 0 } }), model(), service],
    want: [
      expect.stringContaining('nodeCount'),
      'To stay on two clusters, keep or add room on eu, which has none for another replica',
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const change = { before: earlier.decision, after: later.decision, mustExist: [], at: 'a' };
  const found = findChangeWarnings(diff(before, after), change).find(({ code }) => code === 'lost-redundancy');
  expect([found?.at, found?.hint]).toEqual(want);
});
