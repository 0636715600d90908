import { formatDocuments, shareText } from '../../src/manifest/format-yaml';
import type { ComputedEngine, ComputedReplica } from '../../src/replicas/replica';
import { native } from '../../src/render/native';
import type { ModelDeployment } from '../../src/api/model-deployment';
import type { MountedCache } from '../../src/replicas/mounted-caches';
import { aCluster, aDeployment, anEngine } from '../api/build';
import { aReplica, GKE } from './build';

// A gang that kube-scheduler starts: variables of its pods depend on the group, and they name their replica.
const gang = aDeployment('ml/qwen3', { engines: [anEngine('main', { gpus: 8, workers: 1 })] });
const deployment = withTemplate(gang, { networkPolicy: { enabled: true, from: [], to: [] } });
const replica = aReplica(deployment, { small: true, cluster: withGangs('1.37') });

function textOf(one: ComputedReplica): string {
  return formatDocuments(native.render(one), '');
}

/** What a replica is rendered to that shares nothing with any other. */
function alone(one: ComputedReplica): string {
  return formatDocuments(structuredClone(native.render(structuredClone(one))), '');
}

function withTemplate(one: ModelDeployment, change: object): ModelDeployment {
  const { template } = one.spec;
  return { ...one, spec: { ...one.spec, template: { ...template, spec: { ...template.spec, ...change } } } };
}

function withDeployment(change: object): ComputedReplica {
  return { ...replica, deployment: withTemplate(deployment, change) };
}

function withEngine(change: Partial<ComputedEngine>, parts: object = {}): ComputedReplica {
  const engines = replica.engines.map((one) => ({ ...one, engine: { ...one.engine, ...parts }, ...change }));
  return { ...replica, engines };
}

const [weights] = aReplica(aDeployment('ml/cached', { cache: 'weights' })).caches as [MountedCache];

const others: readonly (readonly [string, ComputedReplica])[] = [
  ['another index', { ...replica, index: 1 }],
  ['another name', { ...replica, deployment: { ...deployment, metadata: { ...deployment.metadata, name: 'llama' } } }],
  ['another group', { ...replica, deployment: { ...deployment, group: 'modelplane.ai' } }],
  ['another cluster', { ...replica, cluster: aCluster('other', { source: 'EKS', pools: { h100: 1 } }) }],
  ['a cluster with a mirror', { ...replica, cluster: withSpec({ mirror: { huggingFace: 'https://hf' } }) }],
  ['another label of pools', { ...replica, cluster: withSpec({ poolLabel: 'pool' }) }],
  [
    'another namespace of Prometheus',
    { ...replica, cluster: withSpec({ monitoring: { prometheus: { namespace: 'watch' } } }) },
  ],
  ['another scheduler', { ...replica, cluster: withSpec({ scheduler: { type: 'Volcano', gangs: false } }) }],
  ['a version of Kubernetes without gangs', { ...replica, cluster: withGangs('1.35') }],
  ['another backend until it is replaced', { ...replica, backend: 'KServe' }],
  ['a pool of another name', withPool({ name: 'other' })],
  ['a pool with a taint', withPool({ taints: [{ key: 'team', effect: 'NoSchedule' }] })],
  ['a pool that packs its pods', withPool({ packing: 'BinPack' })],
  ['a pool of a rack', withPool({ rack: 'GB200' })],
  ['other restrictions of its network', withDeployment({ networkPolicy: { enabled: true, from: [] } })],
  [
    'another health check',
    withDeployment({ healthCheck: { ...deployment.spec.template.spec.healthCheck, path: '/up' } }),
  ],
  ['another runtime', withEngine({}, { runtime: 'SGLang' })],
  ['another device class', aReplica(deployment, { deviceClassName: 'other.example.com' })],
  ['a mounted cache', { ...replica, caches: [{ ...weights, egress: [{ ports: [{ port: 443 }] }] }] }],
];

function withSpec(change: object): ComputedReplica['cluster'] {
  return { ...replica.cluster, spec: { ...replica.cluster.spec, ...change } };
}

function withGangs(kubernetesVersion: string): ComputedReplica['cluster'] {
  const cluster = { ...GKE.spec.cluster, gke: { ...GKE.spec.cluster.gke, kubernetesVersion } };
  return { ...GKE, spec: { ...GKE.spec, cluster, scheduler: { type: 'Default', gangs: true } } } as typeof GKE;
}

function withPool(change: object): ComputedReplica {
  const engines = replica.engines.map((one) => ({ ...one, pool: { ...one.pool, ...change } }));
  return { ...replica, engines };
}

test.each(others)('a replica is rendered the same with %s before it, and the other too', (_, other) => {
  expect(textOf(replica)).toBe(alone(replica));
  expect(textOf(other)).toBe(alone(other));
  expect(textOf(replica)).toBe(alone(replica));
  expect(textOf(other)).toBe(alone(other));
});

test('a replica is rendered the same whichever field of its cluster is another one', () => {
  textOf(replica);
  const others = variationsOf(replica.cluster).map((cluster) => ({ ...replica, cluster }));
  expect(others.length).toBeGreaterThan(20);
  for (const other of others) expect(attempt(() => textOf(other))).toEqual(attempt(() => alone(other)));
});

/** Copies of plain data, each with another text, number or flag. */
function variationsOf<T>(value: T): T[] {
  if (typeof value === 'string') return [`${value}x` as T];
  if (typeof value === 'number') return [(value + 1) as T];
  if (typeof value === 'boolean') return [!value as T];
  return Object.entries(value ?? {}).flatMap(([key, inner]) =>
    variationsOf(inner).map((other) =>
      Array.isArray(value) ? (value.with(Number(key), other) as T) : { ...value, [key]: other },
    ),
  );
}

/** What a call returns, or the message of what it throws: not every variation is a valid cluster. */
function attempt(call: () => string): unknown {
  try {
    return call();
  } catch (error) {
    return { message: (error as Error).message };
  }
}

test('a shared part is indented by where it is', () => {
  const part = shareText({ a: [{ b: 1, c: 2 }] });
  const documents = [{ part, deep: { part } }, part, [part]];
  expect(formatDocuments(documents, '')).toBe(formatDocuments(structuredClone(documents), ''));
});
