import * as fc from 'fast-check';

/** A document of a random fleet. */
export interface RandomDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: Readonly<Record<string, unknown>> & { readonly cluster?: { readonly existing?: unknown } };
}

type Spec = RandomDocument['spec'];

function document(kind: string, name: string, spec: Spec): RandomDocument {
  const [own = '', namespace] = name.split('/').reverse();
  const metadata = { name: own, ...(namespace !== undefined && { namespace }) };
  return { apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec };
}

const CLASSES: readonly RandomDocument[] = [
  document('InferenceClass', 'gke-spot', {
    from: 'gcp/g2-standard-24',
    provisioning: { gke: { spot: true } },
  }),
  document('InferenceClass', 'gke-plugin', {
    from: 'gcp/g2-standard-24',
    provisioning: { gke: { driver: 'GKEManaged' } },
  }),
  document('InferenceClass', 'gke-fabric', {
    from: 'gcp/a3-megagpu-8g',
    provisioning: { gke: { reservation: 'ours', fabric: 'DRANET', localSsd: 16 } },
  }),
  document('InferenceClass', 'eks-small', { from: 'aws/g6.12xlarge', provisioning: { eks: { spot: true } } }),
  document('InferenceClass', 'aks-spot', {
    from: 'azure/Standard_NC96ads_A100_v4',
    provisioning: { aks: { spot: true } },
  }),
  document('InferenceClass', 'aks-reserved', {
    from: 'azure/Standard_ND96isr_H100_v5',
    provisioning: {
      aks: {
        capacityReservationGroup:
          '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/h100',
      },
    },
  }),
  document('InferenceClass', 'eks-large', {
    from: 'aws/p5en.48xlarge',
    provisioning: { eks: { diskSizeGb: 500 } },
  }),
];

/** What differs between sources. */
const SOURCES = {
  GKE: {
    cluster: [
      { source: 'GKE', gke: { region: 'us-central1' } },
      { source: 'GKE', gke: { region: 'us-central1', zone: 'us-central1-b' } },
    ],
    classes: ['gke-spot', 'gke-plugin', 'gke-fabric'],
    zones: ['us-central1-a', 'us-central1-b', 'us-central1-c'],
    fabrics: ['None'],
  },
  EKS: {
    cluster: [
      { source: 'EKS', eks: { region: 'us-east-1' } },
      {
        source: 'EKS',
        eks: {
          region: 'us-east-1',
          admins: ['arn:aws:iam::111122223333:role/deploy'],
          zones: ['us-east-1a', 'us-east-1b'],
        },
      },
    ],
    classes: ['eks-small', 'eks-large'],
    zones: ['us-east-1a', 'us-east-1d', 'us-east-1f'],
    fabrics: ['None', 'EFA'],
  },
  AKS: {
    cluster: [
      { source: 'AKS', aks: { location: 'eastus' } },
      {
        source: 'AKS',
        aks: { location: 'westeurope', kubernetesVersion: '1.34', admins: ['00000000-1111-2222-3333-444444444444'] },
      },
    ],
    classes: ['aks-spot', 'aks-reserved'],
    zones: ['1', '3'],
    fabrics: ['None'],
  },
  Existing: {
    cluster: [{ source: 'Existing', existing: { secretRef: { name: 'kubeconfig' } } }],
    classes: ['gke-spot', 'eks-large'],
    zones: [],
    fabrics: ['None'],
  },
} as const;

/** One of GKE's sizes has to be shared out over its zones. */
const ZONE_SIZE = 6;

function pool(source: keyof typeof SOURCES): fc.Arbitrary<Spec> {
  const { classes, zones, fabrics } = SOURCES[source];
  return fc.record({
    className: fc.constantFrom<string>(...classes),
    zones: zones.length === 0 ? fc.constant([]) : fc.subarray([...zones], { minLength: 1 }),
    fabric: fc.constantFrom<string>(...fabrics).map((type) => ({ type })),
    size: fc.constantFrom(
      { nodeCount: ZONE_SIZE },
      { minNodeCount: 0, maxNodeCount: 3 },
      { nodeCount: 1, minNodeCount: 1, maxNodeCount: 2 },
    ),
    taints: fc.constantFrom([], [{ key: 'team', value: 'a', effect: 'NoSchedule' }]),
  });
}

const POOLS = { aiGateway: { install: true }, inferenceCrds: { install: true } };

function cluster(source: keyof typeof SOURCES): fc.Arbitrary<Spec> {
  return fc.record({
    cluster: fc.constantFrom<object>(...SOURCES[source].cluster),
    pools: fc.array(pool(source), { maxLength: 3 }),
    private: fc.boolean(),
    storageClassName: source === 'Existing' ? fc.constant('nfs') : fc.constantFrom(undefined, 'nfs'),
    namespaces: fc.constantFrom('Managed', 'Existing'),
    dra: fc.constantFrom(true, true, true, false),
    servingStack: fc.constantFrom({}, {}, {}, { aiGateway: { install: true } }, POOLS),
  });
}

function clusterOf(made: Spec, index: number): RandomDocument {
  const { pools, private: isPrivate, storageClassName, ...rest } = made as Record<string, unknown>;
  const nodePools = (pools as Spec[]).map(({ size, ...one }, p) => {
    return { name: `p${p}`, ...one, ...(size as object) };
  });
  // Names that begin alike, so that resources of one could be taken for those of another.
  return document('InferenceCluster', `us${'-a'.repeat(index)}`, {
    ...rest,
    nodePools,
    network: { private: isPrivate },
    ...(storageClassName !== undefined && { storage: { sharedFilesystem: { storageClassName } } }),
  });
}

const deployment: fc.Arbitrary<Spec> = fc.record({
  replicas: fc.nat(3),
  gpus: fc.constantFrom(1, 4),
  workers: fc.constantFrom(0, 1),
  cached: fc.boolean(),
});

function deploymentOf({ replicas, gpus, workers, cached }: Spec, index: number): RandomDocument {
  const devices = [{ name: 'gpu', count: gpus, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }];
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] };
  const member = {
    nodeSelector: { devices },
    template: { spec: { containers: [container] } },
  };
  const gang = [
    { role: 'Leader', ...member },
    { role: 'Worker', worker: { nodes: 1 }, ...member },
  ];
  return document('ModelDeployment', `ml-${index % 2}/q${index}`, {
    replicas,
    allowPartial: true,
    template: {
      spec: {
        tolerations: [{ key: 'team', operator: 'Exists' }],
        ...(cached === true && { modelCacheRef: { name: 'weights' } }),
        engines: [
          {
            name: 'main',
            bootstrap: workers === 0 ? 'None' : 'Auto',
            members: workers === 0 ? [member] : gang,
          },
        ],
      },
    },
  });
}

const CACHES = ['ml-0/weights', 'ml-1/weights'].map((name) =>
  document('ModelCache', name, {
    source: 'HuggingFace',
    huggingFace: { repo: 'Qwen/Qwen3-8B', revision: '6f6073b423013f6a7d4d9f39144961bfbfbc386b' },
    sizeGiB: 20,
  }),
);

/** The documents of a fleet of a few clusters on any source, and what is placed there. */
export const randomFleet: fc.Arbitrary<readonly RandomDocument[]> = fc
  .tuple(
    fc.array(
      fc.constantFrom('GKE', 'EKS', 'Existing').chain((source) => cluster(source as 'GKE')),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.array(deployment, { maxLength: 4 }),
  )
  .map(([clusters, deployments]) => [
    ...CLASSES,
    ...CACHES,
    ...clusters.map(clusterOf),
    ...deployments.map(deploymentOf),
  ]);
