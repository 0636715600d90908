import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import type { Resource } from '../../src/api/kinds';
import { compileFleet } from '../../src/plan/compile-fleet';
import { renderCluster } from '../../src/render/cluster';
import { renderFleet } from '../../src/render/fleet';
import { renderNamespaces } from '../../src/render/namespaces';
import { computeReplicas } from '../../src/replicas/compute-replicas';
import type { ComputedReplica } from '../../src/replicas/replica';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { schedule } from '../../src/scheduler/schedule';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc, settings } from '../api/build';
import { aReplica, EMPTY, fleetOf, gangWith, GKE, ofKind, renamed, withContainer } from './build';

const OWN = aCluster('onprem', { pools: { h100: 2 } });
const qwen = withContainer({});
const gang = gangWith({});
const prefill = aDeployment('ml/pair', {
  serving: { mode: 'PrefillDecode' },
  engines: [anEngine('p', { phase: 'Prefill' }), anEngine('d', { phase: 'Decode' })],
});

/** Kind and name of each object of the GKE cluster. */
function objects(replicas: readonly ComputedReplica[], fleet = EMPTY): string[] {
  return renderCluster(GKE, replicas, { fleet }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

describe('a cluster gets', () => {
  const deployments = { qwen, other: renamed(qwen, 'other') };
  const cases: Record<string, { replicas: ComputedReplica[]; want: string[] }> = {
    'nothing without replicas': { replicas: [], want: [] },
    'nothing for replicas on other clusters': { replicas: [aReplica(qwen, { cluster: OWN })], want: [] },
    'a namespace first, then what pods need, Services and workloads by name': {
      replicas: [aReplica(deployments.qwen), aReplica(deployments.other)],
      want: [
        'Namespace ml',
        expect.stringMatching(/^ResourceClaimTemplate other-main-standalone-/) as unknown as string,
        expect.stringMatching(/^ResourceClaimTemplate qwen3-main-standalone-/) as unknown as string,
        expect.stringMatching(/^NetworkPolicy other-0-/) as unknown as string,
        expect.stringMatching(/^NetworkPolicy qwen3-0-/) as unknown as string,
        expect.stringMatching(/^Service other-/) as unknown as string,
        expect.stringMatching(/^Service qwen3-/) as unknown as string,
        expect.stringMatching(/^Deployment other-0-main-/) as unknown as string,
        expect.stringMatching(/^Deployment qwen3-0-main-/) as unknown as string,
      ],
    },
    'a workload and a policy for each replica of a deployment, which share the rest': {
      replicas: [aReplica(qwen, { index: 1, here: 2 }), aReplica(qwen, { here: 2 })],
      want: [
        'Namespace ml',
        expect.stringMatching(/^ResourceClaimTemplate qwen3-main-standalone-/) as unknown as string,
        expect.stringMatching(/^NetworkPolicy qwen3-0-/) as unknown as string,
        expect.stringMatching(/^NetworkPolicy qwen3-1-/) as unknown as string,
        expect.stringMatching(/^PodDisruptionBudget qwen3-/) as unknown as string,
        expect.stringMatching(/^Service qwen3-/) as unknown as string,
        expect.stringMatching(/^Deployment qwen3-0-main-/) as unknown as string,
        expect.stringMatching(/^Deployment qwen3-1-main-/) as unknown as string,
      ],
    },
    'both engines of a pair of prefill and decode, and an endpoint picker before them where no gateway routes to it': {
      replicas: [aReplica(prefill)],
      want: [
        'Namespace ml',
        'ResourceClaimTemplate pair-d-standalone-b7958-0d786f2b',
        'ResourceClaimTemplate pair-p-standalone-50f32-0d786f2b',
        'NetworkPolicy pair-0-30f3c',
        'NetworkPolicy pair-picker-9cb7b',
        'NetworkPolicy pair-proxy-20eea',
        'PodDisruptionBudget pair-proxy-20eea',
        'Service pair-ac4d36',
        'Service pair-picker-9cb7b',
        'Service pair-pods-57767',
        'Deployment pair-0-d-4a4d7',
        'Deployment pair-0-p-7ead6',
        'ConfigMap pair-picker-9cb7b',
        'Deployment pair-picker-9cb7b',
        'Role pair-picker-9cb7b',
        'RoleBinding pair-picker-9cb7b',
        'ServiceAccount pair-picker-9cb7b',
        'ConfigMap pair-proxy-20eea',
        'Deployment pair-proxy-20eea',
      ],
    },
    'no namespace that every cluster has': {
      replicas: [aReplica(aDeployment('qwen3'))],
      want: expect.not.arrayContaining(['Namespace default']) as unknown as string[],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { replicas, want }) => {
    expect(objects(replicas)).toEqual(want);
  });
});

test('replicas whose devices are bound in different ways have a claim template each', () => {
  const replicas = [aReplica(qwen), aReplica(qwen, { index: 1, deviceClassName: 'other.example.com' })];
  expect(ofKind(renderCluster(GKE, replicas, { fleet: EMPTY }), 'ResourceClaimTemplate')).toHaveLength(2);
});

test('the user makes the namespaces of an existing cluster', () => {
  const replicas = [aReplica(qwen, { cluster: OWN })];
  expect(ofKind(renderCluster(OWN, replicas, { fleet: EMPTY }), 'Namespace')).toEqual([]);
  expect([...renderFleet(fleetOf(OWN), replicas).keys()]).toEqual([expect.not.stringContaining('namespaces')]);
});

describe('a namespace refuses pods below the level that ours pass', () => {
  const nonRoot = { securityContext: { runAsNonRoot: true } };
  const rdma = { securityContext: { capabilities: { add: ['IPC_LOCK'] } } };
  const cases: Record<string, { containers: Doc[]; want: string }> = {
    'which is restricted where all say that they are not root': { containers: [nonRoot], want: 'restricted' },
    'which is baseline where one may be root': { containers: [nonRoot, {}], want: 'baseline' },
    'which is privileged where one pins memory for RDMA': { containers: [rdma, {}], want: 'privileged' },
  };
  test.each(Object.entries(cases))('%s', (_, { containers, want }) => {
    const some = containers.map((container, i) => aReplica(renamed(withContainer(container), `m${i}`)));
    const fleet = fleetOf(GKE, settings('main', { labels: { 'pod-security.kubernetes.io/enforce': 'x' } }));
    const [namespace] = ofKind(renderCluster(GKE, some, { fleet }), 'Namespace');
    expect(namespace!.metadata.labels).toEqual({
      'app.kubernetes.io/managed-by': 'fleetwright',
      'fleetwright.dev/cluster': 'gke',
      'pod-security.kubernetes.io/enforce': want,
      'pod-security.kubernetes.io/enforce-version': 'v1.36',
      'pod-security.kubernetes.io/audit': want,
      'pod-security.kubernetes.io/audit-version': 'v1.36',
      'pod-security.kubernetes.io/warn': want,
      'pod-security.kubernetes.io/warn-version': 'v1.36',
    });
  });
});

test('each namespace has the level of what is in it', () => {
  const tight = withContainer({ securityContext: { runAsNonRoot: true } });
  const web = { ...tight, metadata: { ...tight.metadata, namespace: 'web' } };
  const manifests = renderCluster(GKE, [aReplica(qwen), aReplica(web)], { fleet: EMPTY });
  const levels = ofKind(manifests, 'Namespace').map(({ metadata: { name, labels } }) => [
    name,
    labels['pod-security.kubernetes.io/enforce'],
  ]);
  expect(levels).toEqual([
    ['ml', 'baseline'],
    ['web', 'restricted'],
  ]);
});

test('nothing lowers the level of the namespace of gateways', () => {
  const pod = {
    metadata: {},
    spec: { hostNetwork: true, containers: [{ name: 'a', securityContext: { privileged: true } }] },
  };
  const objects = ['fleetwright-system', 'ml'].map((namespace) => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'a', namespace, labels: {} },
    template: pod,
  }));
  const levels = renderNamespaces(GKE, EMPTY, objects).map(({ metadata: { name, labels } }) => [
    name,
    labels['pod-security.kubernetes.io/enforce'],
    labels['pod-security.kubernetes.io/warn'],
  ]);
  expect(levels).toEqual([
    ['fleetwright-system', 'restricted', 'restricted'],
    ['ml', 'privileged', 'privileged'],
  ]);
});

test('every object carries the labels that the fleet gives to all', () => {
  const fleet = fleetOf(GKE, settings('main', { labels: { team: 'ml' } }), qwen);
  const manifests = renderCluster(GKE, [aReplica(fleet.deployments[0]!)], { fleet });
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ResourceClaimTemplate',
    'NetworkPolicy',
    'Service',
    'Deployment',
  ]);
  for (const { metadata } of manifests) {
    expect(metadata.labels).toMatchObject({ team: 'ml', 'app.kubernetes.io/managed-by': 'fleetwright' });
    expect(metadata.labels['fleetwright.dev/cluster']).toBe('gke');
  }
});

test('every namespaced object says its namespace', () => {
  const replicas = [aReplica(qwen), aReplica(renamed(gang, 'gang')), aReplica(aDeployment('web/qwen3'))];
  const manifests = renderCluster(GKE, replicas, { fleet: EMPTY });
  for (const { kind, metadata } of manifests) expect('namespace' in metadata).toBe(kind !== 'Namespace');
});

describe('files', () => {
  const web = aDeployment('web/qwen3');
  const fleet = fleetOf(GKE, OWN, qwen, web);
  const replicas = [aReplica(web), aReplica(qwen), aReplica(qwen, { cluster: OWN })];
  const files = renderFleet(fleet, replicas);

  test('one for the namespaces of a cluster, and one for each deployment on it', () => {
    expect([...files.keys()]).toEqual([
      'gke/00-namespaces.yaml',
      'gke/ml.qwen3.yaml',
      'gke/web.qwen3.yaml',
      'onprem/ml.qwen3.yaml',
    ]);
  });

  test('each says who wrote it, and from what', () => {
    const heads = [...files.values()].map((text) => text.slice(0, text.indexOf('\n')));
    expect(heads).toEqual([
      '# Written by fleetwright synth for cluster gke. Changes made here are lost.',
      '# Written by fleetwright synth from ModelDeployment ml/qwen3 for cluster gke. Changes made here are lost.',
      '# Written by fleetwright synth from ModelDeployment web/qwen3 for cluster gke. Changes made here are lost.',
      '# Written by fleetwright synth from ModelDeployment ml/qwen3 for cluster onprem. Changes made here are lost.',
    ]);
  });

  test('what they hold reads back as what was built, nothing lost', () => {
    const read = [...files.entries()]
      .filter(([path]) => path.startsWith('gke/'))
      .flatMap(([, text]) => [...parseAllDocuments(text, { version: '1.1' })].map((document) => document.toJS()));
    const built = renderCluster(GKE, replicas, { fleet });
    expect(texts(read)).toEqual(texts(built));
  });
});

/** Values as sorted texts, so that key order counts and the order of the values does not. */
function texts(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}

/** The names of the namespaced objects of two deployments on a cluster. */
function names(cluster: typeof GKE): string[] {
  const replicas = [aReplica(qwen, { cluster }), aReplica(renamed(gang, 'gang'), { cluster })];
  const objects = renderCluster(cluster, replicas, { fleet: EMPTY }).filter(({ kind }) => kind !== 'Namespace');
  return objects.map(({ metadata }) => metadata.name);
}

test('names do not depend on the cluster', () => {
  expect(names(OWN)).toEqual(names(GKE));
});

test('two deployments whose objects would have one name are refused', () => {
  // Both names are cut to the same part for people, and their digests begin with the same five digits.
  const replicas = ['390', '485'].map((end) => aReplica(renamed(qwen, 'a'.repeat(50) + end)));
  expect(() => renderFleet(fleetOf(GKE), replicas)).toThrow(
    "namespace ml: two different objects of kind Deployment would have the name 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-e7f62'",
  );
});

/** Every file of a fleet of these resources, computed from nothing. */
function filesOf(some: readonly Resource[], reversed = false): [string, string][] {
  const fleet = fleetOf(...some);
  const model = compileFleet(fleet, byPath);
  const matcher = new PodMatcher();
  const replicas = computeReplicas(fleet, model, matcher, schedule(model, [], matcher).placements);
  return [...renderFleet(fleet, reversed ? [...replicas].reverse() : replicas)];
}
describe('the bytes do not depend on the order', () => {
  const resources: Resource[] = [
    aClass('h100'),
    aCluster('us', { source: 'Existing', namespaces: 'Managed', pools: { h100: 8 } }),
    aCluster('eu', { pools: { h100: 8 } }),
    withContainer({ args: ['m', '--port', '8000'] }, { replicas: 3 }),
    renamed(gangWith({ args: ['m'] }), 'gang'),
    aDeployment('web/qwen3', { replicas: 2, engines: [anEngine('b'), anEngine('a')] }),
  ];

  const want = filesOf(resources);

  test('of the resources', () => {
    expect(want.length).toBeGreaterThan(3);
    const orders = fc.shuffledSubarray(resources, { minLength: resources.length });
    fc.assert(
      fc.property(orders, (order) => expect(filesOf(order)).toEqual(want)),
      { numRuns: 20 },
    );
  });

  test('of the replicas', () => {
    expect(filesOf(resources, true)).toEqual(want);
  });
});
