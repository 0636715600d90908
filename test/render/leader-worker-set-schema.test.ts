import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { aDeployment, aMember, type Doc } from '../api/build';
import { gangWith, manifestsOf, ofKind } from './build';
import { type Schema, violations } from './openapi';

const FILE = join(__dirname, '../crds/leaderworkersets.leaderworkerset.x-k8s.io.yaml');

/** The schema of the one version that the CustomResourceDefinition serves. */
function schema(): Schema {
  const [version] = parse(readFileSync(FILE, 'utf8')).spec.versions;
  return version.schema.openAPIV3Schema;
}

const everything = gangWith(
  {
    command: ['vllm'],
    args: ['serve'],
    env: [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
      { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
      { name: 'D', valueFrom: { fieldRef: { fieldPath: 'status.podIP', apiVersion: 'v1' } } },
    ],
  },
  { cache: 'weights', group: 'modelplane.ai', replicaLabels: { team: 'ml' } },
);
const template = {
  metadata: { annotations: { 'example.com/mesh': 'off' } },
  spec: { containers: [{ name: 'engine', image: 'vllm' }], imagePullSecrets: [{ name: 'registry' }] },
};
const members = [aMember({ role: 'Leader', gpus: 0, template }), aMember({ role: 'Worker', gpus: 8, template })];
const sparse = aDeployment('ml/sparse', { engines: [{ name: 'main', members }] });

const sets = [everything, sparse].flatMap((deployment) => ofKind(manifestsOf(deployment), 'LeaderWorkerSet'));

test('a LeaderWorkerSet has no field that its schema lacks, and all that it requires', () => {
  expect(sets).toHaveLength(2);
  expect(sets.flatMap((set) => violations(set, schema()))).toEqual([]);
});

test('the walker sees what is wrong', () => {
  const set = structuredClone(sets[0]) as unknown as { spec: Doc & { leaderWorkerTemplate: Doc } };
  set.spec.replicass = 1;
  set.spec.replicas = '1';
  set.spec.startupPolicy = 'Never';
  delete set.spec.leaderWorkerTemplate.workerTemplate;
  expect(violations(set, schema())).toEqual([
    '.spec.replicas: string instead of integer',
    '.spec.startupPolicy: Never is none of its values',
    '.spec.leaderWorkerTemplate.workerTemplate: missing',
    '.spec.replicass: unknown',
  ]);
});
