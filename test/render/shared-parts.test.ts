import { formatDocuments, shareText } from '../../src/manifest/format-yaml';
import type { ComputedEngine, ComputedReplica } from '../../src/replicas/replica';
import { native } from '../../src/render/native';
import { aCluster, aDeployment, anEngine } from '../api/build';
import { aReplica, GKE } from './build';

// A gang: variables of its pods depend on the group.
const deployment = aDeployment('ml/qwen3', { engines: [anEngine('main', { gpus: 8, workers: 1 })] });
const replica = aReplica(deployment, { small: true });

function textOf(one: ComputedReplica): string {
  return formatDocuments(native.render(one), '');
}

/** What a replica is rendered to that shares nothing with any other. */
function alone(one: ComputedReplica): string {
  return formatDocuments(structuredClone(native.render(structuredClone(one))), '');
}

function withTemplate(change: object): ComputedReplica {
  const { template } = deployment.spec;
  const spec = { ...deployment.spec, template: { ...template, spec: { ...template.spec, ...change } } };
  return { ...replica, deployment: { ...deployment, spec } };
}

function withEngine(change: Partial<ComputedEngine>, parts: object = {}): ComputedReplica {
  const engines = replica.engines.map((one) => ({ ...one, engine: { ...one.engine, ...parts }, ...change }));
  return { ...replica, engines };
}

const others: readonly (readonly [string, ComputedReplica])[] = [
  ['another index', { ...replica, index: 1 }],
  ['another name', { ...replica, deployment: aDeployment('ml/llama') }],
  ['another group', { ...replica, deployment: { ...deployment, group: 'modelplane.ai' } }],
  ['another cluster', { ...replica, cluster: aCluster('other', { source: 'EKS', pools: { h100: 1 } }) }],
  ['a cluster with a mirror', { ...replica, cluster: withSpec({ mirror: { huggingFace: 'https://hf' } }) }],
  ['another label of pools', { ...replica, cluster: withSpec({ poolLabel: 'pool' }) }],
  [
    'another namespace of Prometheus',
    { ...replica, cluster: withSpec({ monitoring: { prometheus: { namespace: 'watch' } } }) },
  ],
  [
    'another health check',
    withTemplate({ healthCheck: { ...deployment.spec.template.spec.healthCheck, path: '/up' } }),
  ],
  ['another runtime', withEngine({}, { runtime: 'SGLang' })],
  ['another device class', aReplica(deployment, { deviceClassName: 'other.example.com' })],
  [
    'a mounted cache',
    { ...aReplica(aDeployment('ml/cached', { cache: 'weights' })), engines: replica.engines, deployment },
  ],
];

function withSpec(change: object): ComputedReplica['cluster'] {
  return { ...GKE, spec: { ...GKE.spec, ...change } };
}

test.each(others)('a replica is rendered the same with %s before it, and the other too', (_, other) => {
  expect(textOf(replica)).toBe(alone(replica));
  expect(textOf(other)).toBe(alone(other));
  expect(textOf(replica)).toBe(alone(replica));
  expect(textOf(other)).toBe(alone(other));
});

test('a shared part is indented by where it is', () => {
  const part = shareText({ a: [{ b: 1, c: 2 }] });
  const documents = [{ part, deep: { part } }, part, [part]];
  expect(formatDocuments(documents, '')).toBe(formatDocuments(structuredClone(documents), ''));
});
