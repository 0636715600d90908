import type { NodePool } from '../../api/node-pool';
import { hasNvidiaGpus } from '../aks/node-pool';
import { gpuTolerationsOf } from './gpu-pools';
import type { ReleaseContext, ReleaseDefinition } from './release';

/** The releases that only clusters on AKS need. */
export const AKS_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'gpuOperator',
    name: 'gpu-operator',
    namespace: 'gpu-operator',
    chart: 'gpu-operator',
    repository: 'https://helm.ngc.nvidia.com/nvidia',
    version: 'v25.10.0',
    needed: (context) => driverPoolsOf(context).length > 0,
    // Azure/AKS, "Dynamic Resource Allocation on AKS" (2025-11-17): driver and toolkit, without the device plugin.
    values: (context) => {
      const tolerations = gpuTolerationsOf(driverPoolsOf(context));
      return {
        driver: { enabled: true },
        // Two drivers would announce each GPU twice.
        devicePlugin: { enabled: !context.cluster.spec.dra },
        // Otherwise, a pod gets GPUs that it did not claim by setting a variable.
        toolkit: { env: [{ name: 'ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED', value: 'false' }] },
        daemonsets: { tolerations },
        'node-feature-discovery': { worker: { tolerations } },
      };
    },
    imageValues: (mirror) => ({
      operator: { repository: `${mirror}/nvidia` },
      validator: { repository: `${mirror}/nvidia` },
      driver: { repository: `${mirror}/nvidia`, manager: { repository: `${mirror}/nvidia/cloud-native` } },
      toolkit: { repository: `${mirror}/nvidia/k8s` },
      devicePlugin: { repository: `${mirror}/nvidia` },
      dcgmExporter: { repository: `${mirror}/nvidia/k8s` },
      gfd: { repository: `${mirror}/nvidia` },
      migManager: { repository: `${mirror}/nvidia/cloud-native` },
      'node-feature-discovery': { image: { repository: `${mirror}/nfd/node-feature-discovery` } },
    }),
  },
  {
    key: 'azureLustre',
    name: 'azurelustre',
    namespace: 'kube-system',
    chart: 'azurelustre-csi-driver',
    repository: 'oci://mcr.microsoft.com/microsoft.azuremanagedlustre',
    // The only released chart (kubernetes-sigs/azurelustre-csi-driver at 00cb5cf, charts/README.md).
    version: '0.6.0',
    needed: ({ cluster }) => cluster.spec.storage.sharedFilesystem?.lustre !== undefined,
    values: ({ cluster }) => ({ node: { tolerations: gpuTolerationsOf(cluster.spec.nodePools) } }),
    imageValues: (mirror) => {
      const repositoryOf = (image: string) => ({ repository: `${mirror}/oss/v2/kubernetes-csi/${image}` });
      return {
        image: repositoryOf('azurelustre-csi'),
        sidecars: {
          provisioner: repositoryOf('csi-provisioner'),
          livenessProbe: repositoryOf('livenessprobe'),
          nodeDriverRegistrar: repositoryOf('csi-node-driver-registrar'),
        },
      };
    },
  },
];

/** The pools on AKS that get their driver from the GPU Operator, whether GPUs are claimed or counted. */
function driverPoolsOf({ cluster, classes }: ReleaseContext): NodePool[] {
  if (cluster.spec.cluster.source !== 'AKS') return [];
  return cluster.spec.nodePools.filter(({ className }) => {
    const declared = classes.get(className);
    return declared !== undefined && hasNvidiaGpus(declared);
  });
}
