import type { ConfigMap } from 'cdk8s-plus-30';
import {
  type Fleet,
  InferenceClass,
  InferenceCluster,
  ModelCache,
  ModelDeployment,
  type props,
} from 'fleetwright/constructs';

/** A model on a cluster of the house, with the chat template of the house. */
export function declareFleet(fleet: Fleet, templates: ConfigMap) {
  const l40s = new InferenceClass(fleet, 'l40s', { from: 'aws/g6e.12xlarge' });
  const berlin = new InferenceCluster(fleet, 'berlin', {
    cluster: { source: 'Existing', existing: { secretRef: { name: 'berlin-kubeconfig' } } },
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
    nodePools: [{ name: 'l40s', className: l40s, nodeCount: 1 }],
  });
  const weights = new ModelCache(fleet, 'qwen3-8b', {
    namespace: 'ml',
    source: 'HuggingFace',
    huggingFace: { repo: 'Qwen/Qwen3-8B', revision: 'b968826d9c46dd6066d109eabc6255188de91218' },
    sizeGiB: 40,
  });
  const nodeSelector = { devices: [{ name: 'gpu', where: { memory: '>= 44Gi' } }] };
  const ingress = { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } };
  const chat = new ModelDeployment(fleet, 'chat', {
    namespace: 'ml',
    replicas: 1,
    modelCacheRef: weights,
    // Without it, only gateways of Fleetwright and Prometheus reach the pods.
    networkPolicy: { from: [{ namespaceSelector: ingress }] },
    engines: [{ name: 'vllm', copies: 2, members: [{ nodeSelector, template: podWith(templates) }] }],
  });
  return { berlin, weights, chat };
}

function podWith(templates: ConfigMap): props.PodTemplate {
  return {
    spec: {
      containers: [
        {
          name: 'engine',
          image: 'vllm/vllm-openai:v0.23.0',
          args: ['--served-model-name=chat', '--chat-template=/templates/chat.jinja'],
          volumeMounts: [{ name: 'templates', mountPath: '/templates' }],
        },
      ],
      volumes: [{ name: 'templates', configMap: { name: templates } }],
    },
  };
}
