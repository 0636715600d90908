import { parse } from 'yaml';
import type { Doc } from './build';
import { ROUTING_TEXTS } from './routing-documents';

/** A good document of each kind that uses every field. Fresh on each call, so that rows may change it. */
export function fullDocument(kind: keyof typeof TEXTS): Doc {
  const { metadata, spec }: Doc = (read[kind] ??= parse(TEXTS[kind]));
  return structuredClone({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
}

const read: Partial<Record<keyof typeof TEXTS, Doc>> = {};

const TEXTS = {
  ...ROUTING_TEXTS,
  Fleet: `
metadata: { name: main }
spec:
  defaults:
    labels: { team: ml }
    tolerations: [{ key: maintenance, operator: Exists, effect: NoSchedule }]
    cacheImages: { huggingFace: hub:1, s3: rclone:1, gcs: rclone:1, http: curl:1 }
  domains: { rack: example.com/rack }
  namespaces:
    - match: [ml, 'team-*']
      podSecurity: Privileged
      privileged: true
      hostPath: true
      serviceAccounts: [engine]
      secrets: ['*']
`,
  InferenceClass: `
metadata: { name: h200, labels: { tier: prod }, annotations: { note: rented until June } }
spec:
  description: eight H200
  provisioning:
    provider: GKE
    gke:
      machineType: a3-ultragpu-8g
      diskSizeGb: 200
      accelerator: { type: nvidia-h200-141gb, count: 8 }
      driver: GKEManaged
      spot: false
      flexStart: false
      reservation: h200-block
      compactPlacement: true
      fabric: DRANET
      localSsd: 32
    eks:
      instanceType: p5en.48xlarge
      diskSizeGb: 200
      accelerator: { type: nvidia-h200, count: 8 }
      amiType: AL2023_x86_64_NVIDIA
      spot: false
      placementGroup: true
    aks: { vmSize: Standard_ND96isr_H200_v5, diskSizeGb: 200, accelerator: { type: nvidia-h200, count: 8 } }
    nebius:
      platform: gpu-h200-sxm
      preset: 8gpu-128vcpu-1600gb
      driversPreset: cuda12.8
      diskSizeGb: 200
      accelerator: { type: nvidia-h200, count: 8 }
    vultr: { plan: vcg-h200, accelerator: { type: nvidia-h200, count: 8 } }
  devices:
    - name: gpu
      claim: DRA
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      extendedResource: nvidia.com/gpu
      count: 8
      attributes:
        architecture: { string: Hopper }
        cudaComputeCapability: { version: 9.0.0 }
        mig: { bool: false }
        dra.net/numaNode: { int: -1 }
      capacity: { memory: { value: 140Gi } }
    - { name: nic, claim: Synthetic, driver: infiniband, attributes: { gbps: { int: 400 } } }
  node: { allocatable: { cpu: "190", memory: 1900Gi } }
  price: { perHour: 31.5 }
`,
  InferenceCluster: `
metadata: { name: us-east, labels: { tier: prod } }
spec:
  cluster:
    source: EKS
    gke:
      region: us-central1
      zone: us-central1-a
      kubernetesVersion: "1.35"
      addons: { persistentDisk: false, gcsFuse: true }
      credentials: { type: ProviderConfig, name: gcp }
    eks:
      region: us-east-1
      kubernetesVersion: "1.36"
      admins: ["arn:aws:iam::111122223333:role/deploy"]
      zones: [us-east-1a, us-east-1b]
      credentials: { type: ProviderConfig, name: aws }
    aks: { location: westeurope, kubernetesVersion: "1.34", credentials: { type: ProviderConfig, name: azure } }
    nebius: { kubernetesVersion: "1.34", credentials: { type: ProviderConfig, name: nebius } }
    vultr: { region: ewr, kubernetesVersion: v1.36.1+3, credentials: { type: ProviderConfig, name: vultr } }
    existing:
      secretRef: { name: us-east, key: config }
      context: us-east
      kubernetesVersion: "1.36"
      identitySecretRef: { name: us-east-id, key: token, type: AWSWebIdentityCredentials }
      cache: { storageClassName: nfs }
  taints: [{ key: maintenance, value: "true", effect: NoExecute }]
  nodePools:
    - name: h200
      className: h200
      nodeCount: 2
      minNodeCount: 1
      maxNodeCount: 4
      zones: [us-east-1a]
      capacityBlock: { capacityReservationId: cr-0123456789abcdef0 }
      fabric: { type: EFA }
      packing: BinPack
      reserved: { cpu: "2", memory: 16Gi, devices: { gpu: 1 } }
      labels: { rack: a }
      taints: [{ key: nvidia.com/gpu, value: present, effect: PreferNoSchedule }]
  poolLabel: example.com/pool
  dra: true
  paused: true
  namespaces: Existing
  gateway:
    enabled: true
    hostname: edge.us-east.example.com
    reach: Private
    dns: { zone: example.com, provider: Route53, id: Z0123456789 }
    tls:
      issuer: { name: fleet, kind: Issuer }
      clientCertificateRef: { name: front-client }
      caRef: { name: fleet-ca }
  mirror: { images: registry.example.com/mirror, charts: oci://registry.example.com/charts, huggingFace: https://hub.example.com }
  servingStack:
    envoyGateway: { install: true, version: 1.9.1, values: { deployment: { replicas: 2 } } }
    leaderWorkerSet: { install: false }
    nvidiaDraDriver: { values: { nvidiaDriverRoot: /run/nvidia/driver } }
    nodeFeatureDiscovery: {}
    awsDranet: { version: 1.0.0 }
    clusterAutoscaler: { version: 9.58.0 }
    certManager: { install: true }
    prometheus: { install: false, values: { prometheus: { replicas: 2 } } }
    aiGatewayCrds: { version: v1.1.0 }
    aiGateway: { install: true, values: { controller: { logLevel: debug } } }
    kueue: { install: true }
    kserve: { install: true }
    kserveCrds: { version: v0.20.0 }
    kai: { version: v0.17.0 }
    inferenceCrds: { install: true }
  backend: { type: KServe, version: "0.20", sharedNamespaces: [search] }
  scheduler: { type: Kueue, queue: inference, quota: { gpu.nvidia.com: 16 } }
  storage: { sharedFilesystem: { storageClassName: efs, tier: Regional } }
  network: { cidr: 10.8.0.0/16, private: true, authorizedNetworks: [192.0.2.0/24] }
  stack: Standard
  deletionProtection: false
`,
  ModelCache: `
metadata: { name: qwen3, namespace: ml }
spec:
  source: HuggingFace
  huggingFace: { repo: Qwen/Qwen3-8B, revision: main, authSecret: { name: hugging-face, key: token } }
  content: Model
  storage: SharedFilesystem
  sizeGiB: 20
  stage: Everywhere
  clusterSelector: { matchLabels: { tier: prod } }
  include: ["*.safetensors"]
  exclude: ["original/*"]
  mountPath: /models
`,
  ModelDeployment: `
metadata: { name: qwen3, namespace: ml }
spec:
  replicas: 2
  priority: 100
  allowPartial: true
  paused: true
  rollout: { strategy: Rolling, surge: 1, parallel: 2 }
  placement:
    policy: Preferred
    preferred: [{ matchLabels: { tier: prod } }, { matchLabels: { region: eu } }]
    spreadBy: region
    minDomains: 2
    maxPerDomain: 1
    maxPerCluster: 1
  externalEndpoints: Forbidden
  template:
    metadata: { labels: { model: qwen3 } }
    spec:
      healthCheck:
        enabled: true
        path: /health
        port: 8000
        interval: 5s
        timeout: 2s
        initialDelay: 30s
        healthyThreshold: 2
        unhealthyThreshold: 3
        expectedStatuses: [200, 204]
      modelDefinition: ./model-definition.yaml
      clusterSelector:
        matchLabels: { tier: prod }
        matchExpressions: [{ key: region, operator: In, values: [us, eu] }, { key: old, operator: DoesNotExist }]
      modelCacheRef: { name: qwen3 }
      loraAdapters: [{ name: sql, modelCacheRef: { name: sql } }]
      serving: { mode: PrefillDecode }
      tolerations:
        - { key: maintenance, operator: Equal, value: "true", effect: NoExecute }
        - { operator: Exists }
      engines:
        - name: prefill
          copies: 2
          phase: Prefill
          members:
            - role: Standalone
              nodeSelector:
                devices:
                  - name: gpu
                    count: 8
                    selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }]
                    tolerations:
                      - { key: example.com/old, operator: Equal, value: "1", effect: NoExecute, tolerationSeconds: 60 }
                    config:
                      - driver: gpu.nvidia.com
                        parameters: { apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: null }
              template:
                metadata: { labels: { app: qwen3 }, annotations: { example.com/mesh: "off" } }
                spec:
                  imagePullSecrets: [{ name: registry }]
                  containers:
                    - name: engine
                      image: vllm/vllm-openai:v0.11.0
                      command: [vllm]
                      args: [serve, Qwen/Qwen3-8B]
                      resources:
                        requests: { cpu: "16", memory: 200Gi }
                        limits: { cpu: "32", memory: 400Gi }
                      env:
                        - { name: A, value: "1" }
                        - { name: B, valueFrom: { secretKeyRef: { name: s, key: k, optional: true } } }
                        - { name: C, valueFrom: { configMapKeyRef: { name: c, key: k, optional: true } } }
                        - { name: D, valueFrom: { fieldRef: { fieldPath: status.podIP, apiVersion: v1 } } }
        - name: decode
          phase: Decode
          members:
            - role: Leader
              template: { spec: { containers: [{ name: engine, image: vllm/vllm-openai:v0.11.0, args: [Qwen/Qwen3-8B] }] } }
            - role: Worker
              worker: { nodes: 3 }
              nodeSelector:
                devices:
                  - { name: gpu, count: 8, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }
              template: { spec: { containers: [{ name: engine, image: vllm/vllm-openai:v0.11.0, args: [Qwen/Qwen3-8B] }] } }
`,
} as const;
