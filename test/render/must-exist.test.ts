import type { Json, JsonObject, Manifest } from '../../src/render/manifest';
import { mustExist } from '../../src/render/must-exist';

/** An object of a namespace. */
function object(kind: string, name: string, spec: JsonObject = {}, namespace = 'ml'): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name, namespace, labels: {} }, spec };
}

/** A Deployment whose pods have this spec, and whose container has these fields. */
function running(pod: JsonObject, container: JsonObject = {}): Manifest {
  const containers = [{ name: 'engine', ...container }];
  return object('Deployment', 'qwen3', { template: { spec: { ...pod, containers } } });
}

/** What must exist for some objects, a line each. */
function needed(manifests: Manifest[], made: Manifest[] = []): string[] {
  const all = mustExist([{ owner: 'ModelDeployment ml/qwen3', manifests }], made);
  return all.map(({ kind, namespace = '-', name, keys }) => [kind, namespace, name, ...keys].join(' '));
}

const ML = 'Namespace - ml';
const from = (source: string, ref: Json): JsonObject => ({
  env: [{ name: 'A', valueFrom: { [source]: ref } }],
});

describe('what must exist', () => {
  const cases: Record<string, { manifests: Manifest[]; made?: Manifest[]; want: string[] }> = {
    'is nothing where all is made': {
      manifests: [running({}), object('Namespace', 'x', {}, 'default')],
      made: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ml', labels: {} } }],
      want: [],
    },
    'is the namespace of the user': { manifests: [running({})], want: [ML] },
    'is no namespace that every cluster has': { manifests: [object('Job', 'a', {}, 'default')], want: [] },
    'is the Secret of a variable, with its key': {
      manifests: [running({}, from('secretKeyRef', { name: 'hub', key: 'token' }))],
      want: [ML, 'Secret ml hub token'],
    },
    'is each key of a Secret once': {
      manifests: [
        running({}, from('secretKeyRef', { name: 'keys', key: 'b' })),
        running({}, from('secretKeyRef', { name: 'keys', key: 'a' })),
        running({}, from('secretKeyRef', { name: 'keys', key: 'b' })),
      ],
      want: [ML, 'Secret ml keys a b'],
    },
    'is nothing that pods start without': {
      manifests: [
        running({}, from('secretKeyRef', { name: 'hub', key: 'token', optional: true })),
        running({ volumes: [{ configMap: { name: 'maybe', optional: true } }] }),
      ],
      want: [ML],
    },
    'is the ConfigMap of a variable': {
      manifests: [running({}, from('configMapKeyRef', { name: 'flags', key: 'x' }))],
      want: [ML, 'ConfigMap ml flags x'],
    },
    'is what a whole environment comes from': {
      manifests: [running({}, { envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'c' } }] })],
      want: [ML, 'ConfigMap ml c', 'Secret ml s'],
    },
    'is the Secret of a registry': {
      manifests: [running({ imagePullSecrets: [{ name: 'a' }, { name: 'b' }] })],
      want: [ML, 'Secret ml a', 'Secret ml b'],
    },
    'is what volumes are of': {
      manifests: [
        running({
          volumes: [
            { secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
            { configMap: { name: 'c' } },
            { projected: { sources: [{ secret: { name: 'p' } }] } },
            { persistentVolumeClaim: { claimName: 'data' } },
          ],
        }),
      ],
      want: [ML, 'ConfigMap ml c', 'PersistentVolumeClaim ml data', 'Secret ml p', 'Secret ml s k'],
    },
    'is no claim that stages a cache': {
      manifests: [
        running({ volumes: [{ persistentVolumeClaim: { claimName: 'weights' } }] }),
        object('PersistentVolumeClaim', 'weights', { storageClassName: 'nfs' }),
      ],
      want: [ML, 'StorageClass - nfs'],
    },
    'is a claim of that name in another namespace': {
      manifests: [
        running({ volumes: [{ persistentVolumeClaim: { claimName: 'weights' } }] }),
        object('PersistentVolumeClaim', 'weights', {}, 'web'),
      ],
      want: [ML, 'Namespace - web', 'PersistentVolumeClaim ml weights'],
    },
    'is the account of a pod, but for the one that every namespace has': {
      manifests: [running({ serviceAccountName: 'reader' }), running({ serviceAccountName: 'default' })],
      want: [ML, 'ServiceAccount ml reader'],
    },
    'is the priority of a pod, but for those that every cluster has': {
      manifests: [
        running({ priorityClassName: 'gold', runtimeClassName: 'nvidia' }),
        running({ priorityClassName: 'system-node-critical' }),
      ],
      want: [ML, 'PriorityClass - gold', 'RuntimeClass - nvidia'],
    },
    'is the same in the pods of a CronJob and of a gang': {
      manifests: [
        object('CronJob', 'a', {
          jobTemplate: { spec: { template: { spec: { serviceAccountName: 'cron' } } } },
        }),
        object('LeaderWorkerSet', 'b', {
          leaderWorkerTemplate: { workerTemplate: { spec: { serviceAccountName: 'gang' } } },
        }),
      ],
      want: [ML, 'ServiceAccount ml cron', 'ServiceAccount ml gang'],
    },
    'is nothing that a user or a driver calls the same': {
      manifests: [
        running({ nodeSelector: { serviceAccountName: 'x' } }),
        object('Deployment', 'a', { selector: { matchLabels: { storageClassName: 'x' } } }),
        object('Deployment', 'b', { template: { metadata: { labels: { priorityClassName: 'x' } } } }),
        object('ResourceClaimTemplate', 'c', {
          config: [{ opaque: { parameters: { secretRef: { name: 'x' } } } }],
        }),
        running({}, { env: [{ name: 'secretKeyRef', value: 'storageClassName: x' }], args: ['secretName'] }),
      ],
      want: [ML],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { manifests, made = [], want }) => {
    const sorted = want.toSorted();
    expect(needed(manifests, made).toSorted()).toEqual(sorted);
    expect(needed(manifests.toReversed(), made)).toEqual(needed(manifests, made));
  });
});

test('what must exist says for whom, once each', () => {
  const manifests = [running({ serviceAccountName: 'reader' })];
  const all = mustExist(
    ['ModelDeployment ml/b', 'ModelCache ml/a', 'ModelDeployment ml/b'].map((owner) => ({
      owner,
      manifests,
    })),
    [],
  );
  expect(all.map((one) => one.for)).toEqual([
    ['ModelCache ml/a', 'ModelDeployment ml/b'],
    ['ModelCache ml/a', 'ModelDeployment ml/b'],
  ]);
});
