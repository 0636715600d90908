import { amiss, ENVOY_ON, examined, FORBIDDEN, gpuNode, listing } from './build';
import { node, slice } from '../../snapshot/build';

const GATEWAY = {
  gateway: {
    hostname: 'us.example.com',
    tls: { certificateRef: { name: 'a' }, clientCertificateRef: { name: 'b' }, caRef: { name: 'c' } },
  },
};

const DEPLOYMENT = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: q, namespace: ml }
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          members:
            - role: Leader
              nodeSelector: { devices: [{ name: gpu, count: 8, selectors: [{ cel: "true" }] }] }
              template: { spec: { containers: [{ name: engine, image: x }] } }
            - role: Worker
              worker: { nodes: 1 }
              nodeSelector: { devices: [{ name: gpu, count: 8, selectors: [{ cel: "true" }] }] }
              template: { spec: { containers: [{ name: engine, image: x }] } }
`;

const SCALED = DEPLOYMENT.replace(
  '- name: main\n',
  `- name: main
          copies: { min: 1, max: 2 }
          scaling: { on: [{ prometheus: { query: 'q{$(labels)}', threshold: 1 } }] }
`,
);

test('a cluster that has all that it declares is well', () => {
  const storage = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
  expect(examined({ declared: { cluster: { ...GATEWAY, ...storage } }, more: DEPLOYMENT })).toEqual([
    'ok version: Kubernetes v1.36.0',
    'ok dra: resource.k8s.io/v1 is served',
    'ok leader-worker-set: leaderworkerset.x-k8s.io/v1 is served',
    'ok gateway-api: gateway.networking.k8s.io/v1 is served',
    'ok gateway-api: gateway.networking.k8s.io/v1beta1 is served',
    'ok envoy-gateway-api: gateway.envoyproxy.io/v1alpha1 is served',
    "ok device-classes: DeviceClass 'gpu.nvidia.com' exists",
    "ok nodes: pool 'h100' has 2 of 2 nodes",
    "ok devices: pool 'h100' publishes 16 devices as declared",
    'ok gateway-controller: Envoy Gateway has enableBackend, enableEnvoyPatchPolicy, enableLua on',
    "ok storage-class: StorageClass 'nfs' exists",
    'ok permissions: 28 permissions granted',
  ]);
});

const EFS = { cluster: { storage: { sharedFilesystem: { storageClassName: 'efs' } } } };
const NAME_NFS = "Create it, or use 'nfs' at spec.storage.sharedFilesystem";

/** The change of `DEPLOYMENT` with which it mounts the cache. */
const MOUNTED = ['      engines:', '      modelCacheRef: { name: qwen }\n      engines:'] as const;

function cache(more = 'stage: WherePlaced'): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { name: qwen, namespace: ml }
spec: { source: HuggingFace, huggingFace: { repo: a/b }, sizeGiB: 10, ${more} }
`;
}

const MOUNTS = { cluster: { storage: { objectStorageMount: { sources: ['S3', 'GCS'] } } } };

/** A cache in a bucket that every cluster may mount. */
function bucket(source: string, scheme: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { name: qwen, namespace: ml }
spec:
  source: ${source}
  ${source.toLowerCase()}: { uri: ${scheme}://models/qwen }
  storage: ObjectStorageMount
  stage: Everywhere
`;
}

const cases: Record<string, { of: Parameters<typeof amiss>[0]; want: unknown[] }> = {
  'a version without claims fails': {
    of: { seen: { version: 'v1.33.4-gke.100' } },
    want: [
      'failure version: Kubernetes v1.33.4-gke.100 does not serve DRA, which requires 1.34. Upgrade it, or set dra: false on the cluster to use a device plugin',
    ],
  },
  'an old version does where nothing is claimed': {
    of: {
      seen: { version: 'v1.33.4' },
      declared: { cluster: { dra: false }, inferenceClass: { devices: [plugin()] } },
      lists: { nodes: listing(counting('n0'), counting('n1')) },
      unserved: ['ResourceSlice', 'DeviceClass', 'ResourceClaimTemplate'],
    },
    want: [],
  },
  'another version than declared is a warning': {
    of: { declared: { cluster: existing({ kubernetesVersion: '1.35' }) } },
    want: [
      'warning version: Kubernetes v1.36.0 runs, and 1.35 is declared. Correct kubernetesVersion: the features that claims may use depend on it',
    ],
  },
  'a version that is not reported is unknown': {
    of: { seen: { version: '' } },
    want: ['unknown version: the API server does not report its version. Check it with kubectl version'],
  },
  'no claims are served': {
    of: { unserved: ['ResourceSlice', 'DeviceClass', 'ResourceClaimTemplate'] },
    want: ['failure dra: resource.k8s.io/v1 is not served. Upgrade Kubernetes, or enable the API'],
  },
  'LeaderWorkerSet is missing where no gang is declared': {
    of: { unserved: ['LeaderWorkerSet'] },
    want: [
      'warning leader-worker-set: leaderworkerset.x-k8s.io/v1 is not served, and no declaration needs it yet. Install the chart lws of oci://registry.k8s.io/lws/charts (tested version: v0.10.0). A Pulumi program of the fleet does that',
    ],
  },
  'LeaderWorkerSet is missing where a gang is declared, and the user installs it': {
    of: {
      unserved: ['LeaderWorkerSet'],
      more: DEPLOYMENT,
      declared: { cluster: { servingStack: { leaderWorkerSet: { install: false } } } },
    },
    want: [
      'failure leader-worker-set: leaderworkerset.x-k8s.io/v1 is not served. Install the chart lws of oci://registry.k8s.io/lws/charts (tested version: v0.10.0)',
    ],
  },
  'KEDA is missing where an engine scales': {
    of: { unserved: ['ScaledObject'], more: SCALED, declared: { cluster: { monitoring: {} } } },
    want: [
      'failure keda: keda.sh/v1alpha1 is not served. Install the chart keda of https://kedacore.github.io/charts (tested version: 2.21.0)',
    ],
  },
  'KEDA is missing, and the serving stack installs it': {
    of: {
      unserved: ['ScaledObject'],
      more: SCALED,
      declared: { cluster: { monitoring: {}, servingStack: { keda: { install: true } } } },
    },
    want: [
      'failure keda: keda.sh/v1alpha1 is not served. Install the chart keda of https://kedacore.github.io/charts (tested version: 2.21.0). A Pulumi program of the fleet does that',
    ],
  },
  'KEDA is not missed where no engine scales': {
    of: { unserved: ['ScaledObject'], more: DEPLOYMENT, declared: { cluster: { monitoring: {} } } },
    want: [],
  },
  'an old Gateway API lacks a kind': {
    of: { declared: { cluster: GATEWAY }, unserved: ['BackendTLSPolicy'] },
    want: [
      'failure gateway-api: gateway.networking.k8s.io/v1 is served without BackendTLSPolicy. Upgrade the chart gateway-helm of oci://docker.io/envoyproxy (tested version: v1.9.1). A Pulumi program of the fleet does that',
    ],
  },
  'a driver that is not installed': {
    of: { lists: { deviceClasses: listing({ metadata: { name: 'gpu.nvidia.comm' } }) } },
    want: [
      "failure device-classes: there is no DeviceClass 'gpu.nvidia.com'. Install the driver gpu.nvidia.com, which creates it, or use 'gpu.nvidia.comm' in the InferenceClass",
    ],
  },
  'no Envoy Gateway where it has to be': {
    of: { declared: { cluster: GATEWAY }, lists: { gatewayConfig: listing() } },
    want: [
      'failure gateway-controller: Envoy Gateway is not in namespace fleetwright-system. Install the chart gateway-helm into fleetwright-system: its proxies must be in the namespace of the Gateways',
    ],
  },
  'Envoy Gateway as it comes': {
    of: {
      declared: { cluster: GATEWAY },
      lists: {
        gatewayConfig: listing({
          ...ENVOY_ON,
          data: { 'envoy-gateway.yaml': 'extensionApis:\n  enableBackend: true\n  enableLua: false' },
        }),
      },
    },
    want: [
      'failure gateway-controller: Envoy Gateway has enableEnvoyPatchPolicy, enableLua off. Set config.envoyGateway.extensionApis.enableEnvoyPatchPolicy of its chart to true, and the others: without it, routes that need it answer 500',
    ],
  },
  'a storage class that is not there, of a cache that every cluster stages': {
    of: { declared: EFS, more: cache('stage: Everywhere') },
    want: [`failure storage-class: there is no StorageClass 'efs'. ${NAME_NFS}`],
  },
  'a storage class that is not there, of a cache that a deployment mounts': {
    of: { declared: EFS, more: `${cache()}---\n${DEPLOYMENT.replace(...MOUNTED)}` },
    want: [`failure storage-class: there is no StorageClass 'efs'. ${NAME_NFS}`],
  },
  'a class of disks that is not there, of a cache that every cluster may mount': {
    of: {
      declared: { cluster: { storage: { blockDevice: { storageClassName: 'disks' } } } },
      more: cache('stage: Everywhere, storage: BlockDevice'),
    },
    want: [
      "failure storage-class: there is no StorageClass 'disks'. Create it, or use one of nfs at spec.storage.blockDevice",
    ],
  },
  'a driver that is not there, of a bucket that pods mount': {
    of: { declared: MOUNTS, more: bucket('S3', 's3') },
    want: [
      "failure csi-driver: there is no CSIDriver 's3.csi.aws.com', which mounts buckets of S3. Install Mountpoint for Amazon S3: on EKS, the add-on aws-mountpoint-s3-csi-driver",
    ],
  },
  'a driver of buckets that may not be listed': {
    of: { declared: MOUNTS, more: bucket('S3', 's3'), lists: { csiDrivers: FORBIDDEN } },
    want: [expect.stringContaining('unknown csi-driver')],
  },
  'a driver of buckets that is there': {
    of: { declared: MOUNTS, more: bucket('GCS', 'gs') },
    want: [],
  },
  'a storage class that is not there is a warning while no cache is declared': {
    of: { declared: EFS },
    want: [`warning storage-class: there is no StorageClass 'efs', and no cache uses it yet. ${NAME_NFS}`],
  },
  'a storage class that is not there is a warning where no deployment mounts the cache': {
    of: { declared: EFS, more: `${cache()}---\n${DEPLOYMENT}` },
    want: [expect.stringContaining('warning storage-class')],
  },
  'a storage class that is not there is a warning where caches are for other clusters': {
    of: { declared: EFS, more: cache('stage: Everywhere, clusterSelector: { matchLabels: { a: b } }') },
    want: [expect.stringContaining('warning storage-class')],
  },
  'LeaderWorkerSet that is installed next is not missed': {
    of: { unserved: ['LeaderWorkerSet'], more: DEPLOYMENT, coming: ['leaderWorkerSet'] },
    want: [],
  },
  'LeaderWorkerSet is missed where something else is installed next': {
    of: { unserved: ['LeaderWorkerSet'], coming: ['nvidiaDraDriver'] },
    want: [expect.stringContaining('leaderworkerset.x-k8s.io/v1 is not served')],
  },
  'an old Gateway API lacks a kind also where the chart is installed next, because Helm upgrades no definition': {
    of: { declared: { cluster: GATEWAY }, unserved: ['BackendTLSPolicy'], coming: ['envoyGateway'] },
    want: [expect.stringContaining('served without BackendTLSPolicy')],
  },
  'Envoy Gateway that is installed next, or gets its switches then, is not missed': {
    of: {
      declared: { cluster: GATEWAY },
      lists: { gatewayConfig: listing() },
      coming: ['envoyGateway'],
    },
    want: [],
  },
  'a driver that is installed next brings its device class, and nodes publish nothing before': {
    of: {
      lists: {
        deviceClasses: listing(),
        slices: listing(slice('other')),
      },
      coming: ['nvidiaDraDriver'],
    },
    want: [],
  },
  'nodes that publish nothing are missed where no driver is installed next': {
    of: { lists: { slices: listing(slice('other')) }, coming: ['leaderWorkerSet'] },
    want: [expect.stringContaining("pool 'h100' has 0 of 2 nodes for pods: n0 shows 0 of 8 devices 'gpu'")],
  },
  'a node that publishes too few devices is missed whatever is installed next': {
    of: { lists: { slices: listing(slice('n0', { count: 7 }), slice('n1')) }, coming: ['nvidiaDraDriver'] },
    want: [expect.stringContaining("n0 shows 7 of 8 devices 'gpu'")],
  },
  'a label that the driver needs comes with Node Feature Discovery': {
    of: {
      lists: { nodes: listing(node('n0'), node('n1')), slices: listing(slice('other')) },
      coming: ['nodeFeatureDiscovery', 'nvidiaDraDriver'],
    },
    want: [],
  },
  'permissions that are denied, and one that no one answers': {
    of: {
      seen: {
        rights: [
          {
            right: { verb: 'create', group: 'apps', resource: 'deployments' },
            answer: { denied: ['ml', 'search'] },
          },
          { right: { verb: 'patch', group: '', resource: 'namespaces' }, answer: { denied: [] } },
          { right: { verb: 'patch', group: '', resource: 'services' }, answer: { unknown: 'no answer' } },
        ],
      },
    },
    want: [
      'failure permissions: may not create deployments.apps in ml, search. Grant it to the user that applies the manifests, or run the command as that user',
      'failure permissions: may not patch namespaces. Grant it to the user that applies the manifests, or run the command as that user',
      'unknown permissions: 1 permission could not be checked. Try again: no answer',
    ],
  },
};

test.each(Object.entries(cases))('%s', (_, { of, want }) => {
  expect(amiss(of)).toEqual(want);
});

function existing(more: object) {
  return { cluster: { source: 'Existing', existing: { secretRef: { name: 'x' }, ...more } } };
}

function plugin() {
  return {
    name: 'gpu',
    driver: 'gpu.nvidia.com',
    deviceClassName: 'g',
    count: 8,
    extendedResource: 'nvidia.com/gpu',
  };
}

function counting(name: string) {
  return gpuNode(name, { status: { allocatable: { 'nvidia.com/gpu': '8' } } });
}
