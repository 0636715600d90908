import { localCluster } from '../local-cluster';

/**
 * A fleet of one cluster `local` with a pool of two nodes, a deployment that fills one of them, and its routes. A
 * deployment without replicas mounts a cache, so that the storage class of the cluster is used.
 */
export const FLEET = `${localCluster(2)}  gateway:
    hostname: local.example.com
    tls: { certificateRef: { name: edge }, clientCertificateRef: { name: client }, caRef: { name: ca } }
  storage: { sharedFilesystem: { storageClassName: nfs } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: q, namespace: ml }
spec:
  replicas: 2
  template:
    metadata: { labels: { app: q } }
    spec:
      engines:
        - name: main
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    count: 8
                    selectors: [{ cel: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("79Gi")) >= 0' }]
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, -tp=8] }] } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelCache
metadata: { name: weights, namespace: ml }
spec: { source: HuggingFace, huggingFace: { repo: Qwen/Qwen3-8B }, sizeGiB: 20 }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: paused, namespace: ml }
spec:
  replicas: 0
  template:
    spec:
      modelCacheRef: { name: weights }
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, count: 8, selectors: [{ cel: "true" }] }] }
              template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, -tp=8] }] } }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml }
spec: { endpoints: [{ selector: { matchLabels: { app: q } } }] }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceGateway
metadata: { name: public }
spec:
  clusters: [local]
  hostname: chat.example.com
  public: insecure
  tls: { certificateRef: { name: front } }
`;

/** Envoy Gateway's settings with what our routes need. */
export const ENVOY = `apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyGateway
extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true }
`;
