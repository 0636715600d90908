import type { NodePool } from '../../api/node-pool';
import { claimsDevicesOf } from '../node-pools';
import { gpuTolerationsOf, neuronPoolsOf, neuronTolerationsOf } from './gpu-pools';
import type { ReleaseContext, ReleaseDefinition } from './release';

/** The service account of the autoscaler, which EKS refers to by name. */
export const AUTOSCALER_ACCOUNT = 'cluster-autoscaler';

/** The releases that only clusters on EKS need. */
export const EKS_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'awsDranet',
    name: 'aws-dranet',
    namespace: 'kube-system',
    chart: 'aws-dranet',
    repository: 'https://aws.github.io/eks-charts',
    version: '1.0.0',
    needed: (context) => efaPoolsOf(context).length > 0,
    values: (context) => ({ tolerations: gpuTolerationsOf(efaPoolsOf(context)) }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/eks/dranet` } }),
  },
  {
    key: 'neuron',
    name: 'neuron-helm-chart',
    namespace: 'neuron-dra-driver',
    chart: 'neuron-helm-chart',
    repository: 'oci://public.ecr.aws/neuron',
    version: '1.10.0',
    needed: (context) => context.cluster.spec.cluster.source === 'EKS' && neuronPoolsOf(context).length > 0,
    // Amazon EKS user guide, "Manage Neuron devices": the driver and the device plugin exclude each other on a node.
    values: (context) => {
      const tolerations = neuronTolerationsOf(neuronPoolsOf(context));
      const { dra } = context.cluster.spec;
      return {
        draDriver: { enabled: dra, tolerations },
        devicePlugin: { enabled: !dra, tolerations },
        // It needs permissions of EC2 to replace nodes.
        npd: { enabled: false },
      };
    },
    imageValues: (mirror) => ({
      draDriver: { image: { repository: `${mirror}/neuron/neuron-dra-driver` } },
      devicePlugin: { image: { repository: `${mirror}/neuron/neuron-device-plugin` } },
    }),
  },
  {
    key: 'clusterAutoscaler',
    name: 'cluster-autoscaler',
    // The namespace of the service account with an identity: `podIdentities` of the plan of a cluster.
    namespace: 'kube-system',
    chart: 'cluster-autoscaler',
    repository: 'https://kubernetes.github.io/autoscaler',
    version: '9.58.0',
    needed: ({ cluster: { spec } }) =>
      spec.cluster.source === 'EKS' && spec.nodePools.some(({ maxNodeCount }) => maxNodeCount !== undefined),
    values: ({ cluster: { metadata, spec } }) => ({
      fullnameOverride: 'cluster-autoscaler',
      cloudProvider: 'aws',
      ...(spec.cluster.eks && { awsRegion: spec.cluster.eks.region }),
      autoDiscovery: { clusterName: metadata.name },
      rbac: { serviceAccount: { name: AUTOSCALER_ACCOUNT } },
    }),
    imageValues: (mirror) => ({ image: { repository: `${mirror}/autoscaling/cluster-autoscaler` } }),
  },
];

const DRANET_DRIVER = 'dra.net';

function efaPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  return cluster.spec.nodePools.filter(
    ({ className, fabric }) => fabric.type === 'EFA' && claimsDevicesOf(DRANET_DRIVER, cluster, classes.get(className)),
  );
}
