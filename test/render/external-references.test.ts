import type { Json, JsonObject, Manifest } from '../../src/manifest/kubernetes/manifest';
import { findReferences, mayHaveReferences } from '../../src/manifest/kubernetes/references';
import { findExternalReferences, listRequiredObjects } from '../../src/render/external-references';

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
function needed(manifests: Manifest[]): string[] {
  const wanted = findExternalReferences(manifests).map((reference) => ({
    owner: 'ModelDeployment ml/qwen3',
    reference,
  }));
  const all = listRequiredObjects(wanted);
  return all.map(({ kind, namespace = '-', name, keys }) => [kind, namespace, name, ...keys].join(' '));
}

const from = (source: string, ref: Json): JsonObject => ({
  env: [{ name: 'A', valueFrom: { [source]: ref } }],
});

/** What Gateways and routes refer to, by kind and name. */
const ROUTES: Record<string, { manifests: Manifest[]; want: string[] }> = {
  'is what gateways are shown, and by whom it is signed': {
    manifests: [
      object('Gateway', 'edge', { tls: { certificateRefs: [{ kind: 'Secret', name: 'edge-tls' }] } }),
      object('ClientTrafficPolicy', 'edge', {
        clientValidation: { caCertificateRefs: [{ kind: 'ConfigMap', name: 'ca' }] },
      }),
      object('EnvoyProxy', 'front', {
        backendTLS: { clientCertificateRef: { kind: 'Secret', name: 'client' } },
      }),
    ],
    want: ['ConfigMap ml ca ca.crt', 'Secret ml client tls.crt tls.key', 'Secret ml edge-tls tls.crt tls.key'],
  },
  'is no Secret that cert-manager makes, but who makes it': {
    manifests: [
      object('Gateway', 'edge', { tls: { certificateRefs: [{ kind: 'Secret', name: 'edge-tls' }] } }),
      object('Certificate', 'edge', {
        secretName: 'edge-tls',
        issuerRef: { kind: 'ClusterIssuer', name: 'fleet' },
      }),
    ],
    want: ['ClusterIssuer - fleet'],
  },
  'is in the namespace that a reference names': {
    manifests: [
      object('SecurityPolicy', 'chat', {
        credentialRefs: [{ kind: 'Secret', name: 'keys', namespace: 'fleetwright-system' }],
      }),
      object('HTTPRouteFilter', 'key', { credential: { valueRef: { kind: 'Secret', name: 'openai' } } }),
    ],
    want: ['Secret fleetwright-system keys', 'Secret ml openai'],
  },
  'is nothing that is named by a kind of ours': {
    manifests: [object('HTTPRoute', 'chat', { valueRef: { kind: 'Backend', name: 'a' } })],
    want: [],
  },
};

/** What volumes are of. */
const VOLUMES: Record<string, { manifests: Manifest[]; want: string[] }> = {
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
    want: ['ConfigMap ml c', 'PersistentVolumeClaim ml data', 'Secret ml p', 'Secret ml s k'],
  },
  'is the Secret of a driver of volumes, and nothing that is said to it': {
    manifests: [
      running({
        volumes: [
          {
            csi: { nodePublishSecretRef: { name: 'vault' }, volumeAttributes: { serviceAccountName: 'x' } },
          },
        ],
      }),
    ],
    want: ['Secret ml vault'],
  },
};

describe('what must exist', () => {
  const cases: Record<string, { manifests: Manifest[]; want: string[] }> = {
    ...ROUTES,
    ...VOLUMES,
    'is nothing where nothing else is named': { manifests: [running({})], want: [] },
    'is the Secret of a variable, with its key': {
      manifests: [running({}, from('secretKeyRef', { name: 'hub', key: 'token' }))],
      want: ['Secret ml hub token'],
    },
    'is each key of a Secret once': {
      manifests: [
        running({}, from('secretKeyRef', { name: 'keys', key: 'b' })),
        running({}, from('secretKeyRef', { name: 'keys', key: 'a' })),
        running({}, from('secretKeyRef', { name: 'keys', key: 'b' })),
      ],
      want: ['Secret ml keys a b'],
    },
    'is nothing that pods start without': {
      manifests: [
        running({}, from('secretKeyRef', { name: 'hub', key: 'token', optional: true })),
        running({ volumes: [{ configMap: { name: 'maybe', optional: true } }] }),
      ],
      want: [],
    },
    'is the ConfigMap of a variable': {
      manifests: [running({}, from('configMapKeyRef', { name: 'flags', key: 'x' }))],
      want: ['ConfigMap ml flags x'],
    },
    'is what a whole environment comes from': {
      manifests: [running({}, { envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'c' } }] })],
      want: ['ConfigMap ml c', 'Secret ml s'],
    },
    'is the Secret of a registry': {
      manifests: [running({ imagePullSecrets: [{ name: 'a' }, { name: 'b' }] })],
      want: ['Secret ml a', 'Secret ml b'],
    },
    'is no claim that stages a cache': {
      manifests: [
        running({ volumes: [{ persistentVolumeClaim: { claimName: 'weights' } }] }),
        object('PersistentVolumeClaim', 'weights', { storageClassName: 'nfs' }),
      ],
      want: ['StorageClass - nfs'],
    },
    'is a claim of that name in another namespace': {
      manifests: [
        running({ volumes: [{ persistentVolumeClaim: { claimName: 'weights' } }] }),
        object('PersistentVolumeClaim', 'weights', {}, 'web'),
      ],
      want: ['PersistentVolumeClaim ml weights'],
    },
    'is the account of a pod, but for the one that every namespace has': {
      manifests: [running({ serviceAccountName: 'reader' }), running({ serviceAccountName: 'default' })],
      want: ['ServiceAccount ml reader'],
    },
    'is the priority of a pod, but for those that every cluster has': {
      manifests: [
        running({ priorityClassName: 'gold', runtimeClassName: 'nvidia' }),
        running({ priorityClassName: 'system-node-critical' }),
      ],
      want: ['PriorityClass - gold', 'RuntimeClass - nvidia'],
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
      want: ['ServiceAccount ml cron', 'ServiceAccount ml gang'],
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
      want: [],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { manifests, want }) => {
    const sorted = want.toSorted();
    expect(needed(manifests).toSorted()).toEqual(sorted);
    expect(needed(manifests.toReversed())).toEqual(needed(manifests));
  });
  test.each(Object.entries(cases))('%s, as may be reported by the text of what refers to it', (_, { manifests }) => {
    const telling = manifests.filter(({ spec }) => mayHaveReferences(JSON.stringify(spec)));
    expect(telling).toEqual(expect.arrayContaining(manifests.filter((one) => findReferences(one).length > 0)));
  });
});

test('a spec with a default that names nothing refers to nothing', () => {
  expect(mayHaveReferences(JSON.stringify({ containers: [{ name: 'secret' }], imagePullSecrets: [] }))).toBe(false);
});

test('what must exist says for whom, once each', () => {
  const reference = { kind: 'ServiceAccount', namespace: 'ml', name: 'reader' } as const;
  const [a, b] = ['ModelCache ml/a', 'ModelDeployment ml/b'] as const;
  for (const owners of [
    [b, a, b],
    [a, b, b],
  ]) {
    const [needed, ...more] = listRequiredObjects(owners.map((owner) => ({ owner, reference })));
    expect(more).toEqual([]);
    expect(needed!.for).toEqual([a, b]);
  }
});

test('a certificate has to have each of its names once, whoever asks', () => {
  const wanted = ['b.example.com', 'a.example.com', 'b.example.com'].map((dnsName) => {
    const reference = { kind: 'Secret', namespace: 'ml', name: 'tls', dnsName } as const;
    return { owner: 'InferenceGateway main', reference };
  });
  const [needed, ...more] = listRequiredObjects(wanted);
  expect(more).toEqual([]);
  expect(needed).toMatchObject({ keys: [], dnsNames: ['a.example.com', 'b.example.com'] });
});
