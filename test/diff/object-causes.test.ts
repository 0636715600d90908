import type { Resource } from '../../src/api/kinds';
import { aCache, aClass, aCluster, aDeployment, aMember, type Doc, settings } from '../api/build';
import { diff } from './build';

const H100 = aClass('h100');
const STORAGE = { sharedFilesystem: { storageClassName: 'nfs' } };
const us = (more: Doc = {}): Resource => aCluster('us', { pools: { h100: 4 }, storage: STORAGE, ...more });

/** A deployment of one engine that takes a node, run by an image. */
function q(options: Doc & { image?: string } = {}, id = 'ml/q'): Resource {
  const { image = 'vllm/vllm-openai:v0.11.0', ...more } = options;
  const container = { name: 'engine', image, args: ['Qwen/Qwen3-8B'] };
  const member = aMember({ gpus: 8, template: { spec: { containers: [container] } } });
  return aDeployment(id, { engines: [{ name: 'main', members: [member] }], ...more });
}

const IMAGE = 'spec.template.spec.engines[main].members[0].template.spec.containers[engine].image';

/** The objects of one replica, and those of its deployment. */
const OF_REPLICA = ['Deployment q-0-main', 'NetworkPolicy q-0', 'ResourceClaimTemplate q-main-standalone', 'Service q'];

const weights = (revision: string): Resource =>
  aCache('ml/w', { huggingFace: { repo: 'a/b', revision: revision.repeat(40) } });

const everywhere = aCache('ml/w', {
  huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) },
  stage: 'Everywhere',
});

/** An object of `ml/r`, and one of `team/r`. */
function added(first: string, second: string): string[] {
  return [`${first}: ModelDeployment ml/r added`, `${second}: ModelDeployment team/r added`];
}

/** A volume of another class takes another name. */
const STAGING = ['CronJob w-sweep', 'Job w-stage', 'Job w-stage', 'PersistentVolumeClaim w', 'PersistentVolumeClaim w'];
const JOB_OF_FLEET = 'Job w-stage: Fleet fleet spec.defaults.imageRegistry';

/** The objects that change, each with the fields and declarations that it comes from. */
function causes(before: Resource[], after: Resource[]): string[] {
  const { objects } = diff([H100, ...before], [H100, ...after]);
  return objects.map(({ kind, name, causes: from }) => {
    const all = from.map(({ id, action, field }) => `${id} ${field?.field ?? action}`);
    return `${kind} ${name.replace(/(-[0-9a-f]{4,8})+$/, '')}: ${all.join(', ')}`;
  });
}

const cases: Record<string, { before: Resource[]; after: Resource[]; want: string[] }> = {
  'pods come from what their deployment runs': {
    before: [us(), q()],
    after: [us(), q({ image: 'vllm/vllm-openai:v0.12.0' })],
    want: [`Deployment q-0-main: ModelDeployment ml/q ${IMAGE}`],
  },
  'objects of a replica that comes from what places it, also those of all replicas': {
    before: [us(), q()],
    after: [us(), q({ replicas: 2 })],
    want: [
      'Deployment q-1-main: ModelDeployment ml/q spec.replicas',
      'NetworkPolicy q-1: ModelDeployment ml/q spec.replicas',
      'PodDisruptionBudget q: ModelDeployment ml/q spec.replicas',
    ],
  },
  'objects of a replica that stays from what is not of placing, of its own deployment': {
    before: [us(), q(), q({}, 'ml/r')],
    after: [us(), q({ priority: 1, networkPolicy: { enabled: false } }), q({ priority: 1 }, 'ml/r')],
    want: ['NetworkPolicy q-0: ModelDeployment ml/q spec.template.spec.networkPolicy.enabled'],
  },
  'a namespace from what is new in it': {
    before: [us({ namespaces: 'Managed' })],
    after: [us({ namespaces: 'Managed' }), q({}, 'ml/r'), q({}, 'team/r')],
    want: [
      ...added('Deployment r-0-main', 'Deployment r-0-main'),
      ...added('Namespace ml', 'Namespace team'),
      ...added('NetworkPolicy r-0', 'NetworkPolicy r-0'),
      ...added('ResourceClaimTemplate r-main-standalone', 'ResourceClaimTemplate r-main-standalone'),
      ...added('Service r', 'Service r'),
    ],
  },
  'what stages a cache from the replica that mounts it': {
    before: [us(), q(), weights('a')],
    after: [us(), q({ cache: 'w' }), weights('a')],
    want: [
      'CronJob w-sweep: ModelDeployment ml/q spec.template.spec.modelCacheRef',
      'Deployment q-0-main: ModelDeployment ml/q spec.template.spec.modelCacheRef',
      'Job w-stage: ModelDeployment ml/q spec.template.spec.modelCacheRef',
      'PersistentVolumeClaim w: ModelDeployment ml/q spec.template.spec.modelCacheRef',
    ],
  },
  'what stages other files from the cache': {
    before: [us(), q({ cache: 'w' }), weights('a')],
    after: [us(), q({ cache: 'w' }), weights('b')],
    want: [
      'CronJob w-sweep: ModelCache ml/w spec.huggingFace.revision',
      'Deployment q-0-main: ModelCache ml/w spec.huggingFace.revision',
      'Job w-stage: ModelCache ml/w spec.huggingFace.revision',
      'Job w-stage: ModelCache ml/w spec.huggingFace.revision',
    ],
  },
  'all objects of a cluster from what it says of them': {
    before: [us(), q()],
    after: [us({ mirror: { images: 'mirror.example.com' } }), q()],
    want: ['Deployment q-0-main: InferenceCluster us spec.mirror.images'],
  },
  'what stages caches from the settings of the fleet': {
    before: [us(), q({ cache: 'w' }), weights('a'), settings('fleet', { imageRegistry: 'a.example.com' })],
    after: [us(), q({ cache: 'w' }), weights('a'), settings('fleet', { imageRegistry: 'b.example.com' })],
    want: [
      'CronJob w-sweep: Fleet fleet spec.defaults.imageRegistry',
      'Deployment q-0-main: Fleet fleet spec.defaults.imageRegistry',
      'Job w-stage: Fleet fleet spec.defaults.imageRegistry',
      'Job w-stage: Fleet fleet spec.defaults.imageRegistry',
    ],
  },
  'objects of a cache that goes from a cluster come from where it is staged, and not from its other edits': {
    before: [us(), everywhere],
    after: [us(), weights('b')],
    want: ['CronJob w-sweep', 'Job w-stage', 'PersistentVolumeClaim w'].map(
      (object) => `${object}: ModelCache ml/w spec.stage`,
    ),
  },
  'what stages a cache that no one mounts from its cluster': {
    before: [us(), everywhere],
    after: [us({ storage: { sharedFilesystem: { storageClassName: 'other' } } }), everywhere],
    want: STAGING.map((kind) => `${kind}: InferenceCluster us spec.storage.sharedFilesystem.storageClassName`),
  },
  'and from the settings of the fleet': {
    before: [us(), everywhere, settings('fleet', { imageRegistry: 'a.example.com' })],
    after: [us(), everywhere, settings('fleet', { imageRegistry: 'b.example.com' })],
    want: ['CronJob w-sweep: Fleet fleet spec.defaults.imageRegistry', JOB_OF_FLEET, JOB_OF_FLEET],
  },
  'what takes the place of a replica from what made that one go': {
    before: [us(), aCluster('zz', { pools: { h100: 1 } }), q()],
    after: [aCluster('zz', { pools: { h100: 1 } }), q()],
    want: [
      ...OF_REPLICA.map((kind) => `${kind}: InferenceCluster us removed`),
      ...OF_REPLICA.map((kind) => `${kind}: InferenceCluster us removed`),
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(causes(before, after)).toEqual(want);
});
