import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { findDeploymentsInWaves } from '../../../src/live/waves/replaced-workloads';
import { forecastServing, formatForecast } from '../../../src/live/waves/serving-forecast';
import { anObject } from '../../stacks/build';

interface ReplicaOptions {
  image?: string;
  wave?: number;
  surge?: number;
  ready?: number;

  /** Undefined: an autoscaler sets them. */
  copies?: number | undefined;
}

/** A replica of `ml/q`, by index, wave and image. */
function replica(index: number, more: ReplicaOptions = {}) {
  const { image = 'old', wave = index + 1, surge = 0, ready = 1 } = more;
  const copies = 'copies' in more ? more.copies : 1;
  return {
    ...anObject('Deployment', `ml/q-${index}`, {
      annotations: { 'argocd.argoproj.io/sync-wave': String(wave) },
      labels: { 'fleetwright.dev/deployment': 'q', 'fleetwright.dev/replica-index': String(index) },
      spec: {
        ...(copies !== undefined && { replicas: copies }),
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 1 - surge } },
        template: { spec: { containers: [{ name: 'engine', image }] } },
      },
    }),
    status: { availableReplicas: ready },
  };
}

type Replica = Parameters<typeof replica>;

/** A graph of Dynamo, which is a replica of `ml/q`: by index, image, annotations and copies of its component. */
function graph(index: number, { image = 'old', annotations = {}, copies = 1, state = 'successful' } = {}) {
  const { metadata } = replica(index);
  return {
    ...anObject('DynamoGraphDeployment', `ml/q-${index}`, {
      annotations: metadata.annotations,
      labels: metadata.labels,
      spec: {
        annotations,
        components: [
          { name: 'decode', replicas: copies, podTemplate: { spec: { containers: [{ name: 'main', image }] } } },
        ],
      },
    }),
    status: { state },
  };
}

interface Row {
  before: Replica[];
  after: Replica[];
  waves?: boolean;
  want: string | undefined;
}

const BOTH: Replica[] = [[0], [1]];
const NEW: Replica[] = [
  [0, { image: 'new' }],
  [1, { image: 'new' }],
];
const SAID = 'replicas that serve during the update, at least: ml/q';

const rows: Record<string, Row> = {
  'one of two serves in waves': { before: BOTH, after: NEW, want: `${SAID} 1 of 2` },
  'none serves without waves': { before: BOTH, after: NEW, waves: false, want: `${SAID} 0 of 2 (1 with waves)` },
  'all of a wave are down together': {
    before: BOTH,
    after: NEW.map(([index, more]): Replica => [index, { ...more, wave: 1 }]),
    want: `${SAID} 0 of 2`,
  },
  'one that does not serve now is not counted': {
    before: [[0], [1, { ready: 0 }]],
    after: NEW,
    want: `${SAID} 0 of 1`,
  },
  'one with a surge serves all the time, so nothing is said': {
    before: BOTH,
    after: NEW.map(([index, more]): Replica => [index, { ...more, surge: 1 }]),
    want: undefined,
  },
  'one with several copies at the moment serves all the time, so nothing is said': {
    before: BOTH.map(([index]): Replica => [index, { copies: 2, ready: 2 }]),
    after: NEW.map(([index, more]): Replica => [index, { ...more, copies: undefined }]),
    want: undefined,
  },
  'one with a single copy at the moment is down while that is replaced': {
    before: BOTH,
    after: NEW.map(([index, more]): Replica => [index, { ...more, copies: undefined }]),
    want: `${SAID} 1 of 2`,
  },
  'one that is deleted does not serve to the end': {
    before: [[0], [1], [2]],
    after: NEW,
    want: `${SAID} 1 of 3`,
  },
  'nothing is said where nothing is replaced': { before: BOTH, after: BOTH, want: undefined },
  'nothing is said where nothing runs': { before: [], after: NEW, want: undefined },
};

const UNAVAILABLE = 'nvidia.com/deployment-rolling-update-max-unavailable';
const STRATEGY = 'nvidia.com/deployment-strategy';

const graphs: Record<string, { before?: object; after?: object; want: string | undefined }> = {
  'replaces its pods first without annotations, as Grove does': { want: `${SAID} 1 of 2` },
  'that does not serve now is not counted': { before: { state: 'pending' }, want: undefined },
  'with a surge serves all the time': { after: { annotations: { [UNAVAILABLE]: '0' } }, want: undefined },
  'with several copies of each component serves all the time': { after: { copies: 2 }, want: undefined },
  'that is recreated is down': {
    after: { annotations: { [UNAVAILABLE]: '0', [STRATEGY]: 'Recreate' } },
    want: `${SAID} 1 of 2`,
  },
};

test.each(Object.entries(graphs))('a graph of Dynamo %s', (_, { before, after, want }) => {
  const manifests = [0, 1].map((index) => graph(index, { image: 'new', ...after }));
  const objects = [0, 1].map((index) => graph(index, before)) as unknown as LiveObject[];
  const several = findDeploymentsInWaves([{ cluster: 'us', manifests }]);
  expect(formatForecast(forecastServing([{ cluster: 'us', manifests, objects }], several), true)).toBe(want);
});

test.each(Object.entries(rows))('%s', (_, { before, after, waves = true, want }) => {
  const manifests = after.map((one) => replica(...one));
  const objects = before.map((one) => replica(...one)) as unknown as LiveObject[];
  const several = findDeploymentsInWaves([{ cluster: 'us', manifests }]);
  expect(formatForecast(forecastServing([{ cluster: 'us', manifests, objects }], several), waves)).toBe(want);
});
