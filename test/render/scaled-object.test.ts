import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { manifestsOf, ofKind, pick } from './build';
import { type Schema, violations } from './openapi';

const FILE = join(__dirname, '../crds/scaledobjects.keda.sh.yaml');

const MONITORED = aCluster('gke', { source: 'GKE', pools: { h100: 4 }, monitoring: {} });

const scaled = (engine: Doc = {}, options: Doc = {}): ModelDeployment => {
  const scaling = { on: [{ queue: 4 }], ...(engine['scaling'] as Doc) };
  return aDeployment('ml/qwen3', {
    engines: [anEngine('main', { copies: { min: 1, max: 4 }, ...engine, scaling })],
    ...options,
  });
};

const objectsOf = (deployment: ModelDeployment, cluster = MONITORED) => manifestsOf(deployment, { index: 2, cluster });

function specOf(deployment: ModelDeployment, cluster = MONITORED): Doc {
  const [object] = ofKind(objectsOf(deployment, cluster), 'ScaledObject');
  return object!.spec as Doc;
}

const LABELS = 'cluster="gke",namespace="ml",deployment="qwen3",replica_index="2",engine="main"';

const trigger = (name: string, query: string, threshold: string, metricType = 'AverageValue') => ({
  type: 'prometheus',
  name,
  metricType,
  metadata: {
    serverAddress: 'http://prometheus-prometheus.monitoring:9090',
    query,
    threshold,
    ignoreNullValues: 'false',
  },
});

const addedEvery = (periodSeconds: number, value = 1) => ({
  advanced: {
    horizontalPodAutoscalerConfig: {
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value, periodSeconds }] },
        scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      },
    },
  },
});

describe('a ScaledObject', () => {
  const cases: Record<string, { engine?: Doc; options?: Doc; want: Doc }> = {
    'states both bounds': { want: { minReplicaCount: 1, maxReplicaCount: 4 } },
    'keeps the copies when it cannot read the load': {
      engine: { copies: { min: 2, max: 4 } },
      want: { fallback: { failureThreshold: 3, replicas: 2, behavior: 'currentReplicasIfHigher' } },
    },
    'scales a pod as a Deployment': {
      want: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'qwen3-2-main-e5500' } },
    },
    'scales a gang as a LeaderWorkerSet': {
      engine: { workers: 1 },
      want: {
        scaleTargetRef: {
          apiVersion: 'leaderworkerset.x-k8s.io/v1',
          kind: 'LeaderWorkerSet',
          name: 'qwen3-2-main-e5500',
        },
      },
    },
    'reads the waiting requests of its replica alone': {
      want: { triggers: [trigger('queue', `max(fleetwright:requests_waiting{${LABELS}})`, '4')] },
    },
    'reads each signal': {
      engine: { scaling: { on: [{ running: 16 }, { kvUse: '80%' }] } },
      want: {
        triggers: [
          trigger('running', `max(fleetwright:requests_running{${LABELS}})`, '16'),
          trigger('kv-use', `max(fleetwright:kv_use_ratio{${LABELS}})`, '0.8', 'Value'),
        ],
      },
    },
    'puts its labels into queries of users': {
      engine: { scaling: { on: [{ prometheus: { query: 'sum(q{$(labels)}) / sum(p{$(labels)})', threshold: 0.5 } }] } },
      want: { triggers: [trigger('query-0', `sum(q{${LABELS}}) / sum(p{${LABELS}})`, '0.5')] },
    },
    'adds a copy in the time that one needs to load': {
      engine: { startup: { budget: '10m' } },
      want: addedEvery(600),
    },
    'adds a copy at least every 30 minutes': { engine: { startup: { budget: '2h' } }, want: addedEvery(1800) },
    'adds copies at the declared pace': {
      engine: { scaling: { up: { pods: 2, every: '90s' } } },
      want: addedEvery(90, 2),
    },
  };
  test.each(Object.entries(cases))('%s', (_, { engine, options, want }) => {
    expect(pick(specOf(scaled(engine, options)), want)).toEqual(want);
  });

  test('reads the declared server', () => {
    const serverAddress = 'https://metrics.example.com';
    const cluster = aCluster('gke', {
      source: 'GKE',
      pools: { h100: 4 },
      monitoring: { prometheus: { serverAddress } },
    });
    const [first] = specOf(scaled(), cluster)['triggers'] as Doc[];
    expect(first!['metadata']).toMatchObject({ serverAddress });
  });

  test('has the wave of its workload, without which it never becomes ready', () => {
    const objects = objectsOf(scaled());
    const waves = ['Deployment', 'ScaledObject'].map(
      (kind) => ofKind(objects, kind)[0]!.metadata.annotations?.['argocd.argoproj.io/sync-wave'],
    );
    expect(waves).toEqual(['3', '3']);
  });

  test.each(['deployment', 'cluster'])('does nothing for a paused %s', (paused) => {
    const cluster = aCluster('gke', {
      source: 'GKE',
      pools: { h100: 4 },
      monitoring: {},
      paused: paused === 'cluster',
    });
    const deployment = scaled();
    const stopped = { ...deployment, spec: { ...deployment.spec, paused: paused === 'deployment' } };
    const [object] = ofKind(objectsOf(stopped, cluster), 'ScaledObject');
    expect(object!.metadata.annotations).toMatchObject({ 'autoscaling.keda.sh/paused': 'true' });
  });

  test('has no field that its schema lacks, and all that it requires', () => {
    const [version] = parse(readFileSync(FILE, 'utf8')).spec.versions;
    const schema: Schema = version.schema.openAPIV3Schema;
    const engine = { workers: 1, scaling: { on: [{ queue: 1 }, { running: 1 }, { kvUse: '80%' }] } };
    const objects = ofKind([...objectsOf(scaled()), ...objectsOf(scaled(engine))], 'ScaledObject');
    expect(objects).toHaveLength(2);
    expect(objects.flatMap((object) => violations(object, schema))).toEqual([]);
  });
});

describe('the workload of an engine with bounds', () => {
  test.each([
    ['a Deployment', {}, 'Deployment'],
    ['a LeaderWorkerSet', { workers: 1 }, 'LeaderWorkerSet'],
  ])('leaves the number of copies of %s to the autoscaler', (_, engine, kind) => {
    const [workload] = ofKind(objectsOf(scaled(engine)), kind);
    expect(workload!.spec).not.toHaveProperty('replicas');
  });

  test('replaces all groups at once with Recreate, however many there are', () => {
    const [workload] = ofKind(objectsOf(scaled({ workers: 1 }, { rollout: 'Recreate' })), 'LeaderWorkerSet');
    expect(workload!.spec!['rolloutStrategy']).toMatchObject({
      rollingUpdateConfiguration: { maxUnavailable: '100%', maxSurge: 0 },
    });
  });

  test('can be evicted one copy at a time', () => {
    expect(ofKind(objectsOf(scaled()), 'PodDisruptionBudget')).toHaveLength(1);
  });

  test('with a fixed number has no autoscaler', () => {
    expect(ofKind(objectsOf(aDeployment('ml/qwen3')), 'ScaledObject')).toEqual([]);
  });
});
