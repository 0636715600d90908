import { sortUnique } from '../../base/order';
import { claimsDevicesOf, NVIDIA_DRIVER } from '../node-pools';
import { hasNvidiaGpus } from '../aks/node-pool';
import { driverTolerationsOf, amdPoolsOf } from './gpu-pools';
import type { ReleaseContext, ReleaseDefinition } from './release';

/**
 * The DRA driver. Earlier versions publish no GPUs with kernel modules since 6.19.14 (ROCm/gpu-operator v1.5.1, release
 * notes). The default of the chart is a tag that changes.
 */
const DRA_DRIVER = 'rocm/k8s-gpu-dra-driver:v1.0.1';

/** Tolerations that the chart gives to Node Feature Discovery. A list of values replaces them. */
const NFD_TOLERATIONS = [
  { key: 'amd-dcm', operator: 'Equal', value: 'up', effect: 'NoExecute' },
  { key: 'amd-gpu-unhealthy', operator: 'Exists', effect: 'NoSchedule' },
];

/** Whether a Pulumi program installs the AMD GPU Operator, whose webhooks have certificates of cert-manager. */
export function installsAmdOperator({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.amdGpuOperator?.install === true;
}

/**
 * The AMD GPU Operator with its DRA driver. It is installed only on request, because it can build the kernel module of
 * the GPUs only with a registry of the user (ROCm/gpu-operator v1.5.1, docs/drivers/installation.md).
 */
export const AMD_RELEASES: readonly ReleaseDefinition[] = [
  {
    key: 'amdGpuOperator',
    name: 'amd-gpu-operator',
    namespace: 'kube-amd-gpu',
    chart: 'gpu-operator-charts',
    repository: 'https://rocm.github.io/gpu-operator',
    version: 'v1.5.1',
    needs: ['certManager'],
    needed: () => false,
    values: (context) => {
      const { dra } = context.cluster.spec;
      const tolerations = driverTolerationsOf(amdPoolsOf(context));
      const selector = selectorOf(context);
      return {
        // Otherwise, changes of these values have no effect after the installation.
        crds: { defaultCR: { upgrade: true } },
        deviceConfig: {
          spec: {
            ...(selector && { selector }),
            driver: { tolerations },
            // Two drivers would announce each GPU twice, and the operator rejects both together.
            devicePlugin: {
              enableDevicePlugin: !dra,
              devicePluginTolerations: tolerations,
              nodeLabellerTolerations: tolerations,
            },
            draDriver: { enable: dra, image: `docker.io/${DRA_DRIVER}`, tolerations },
            metricsExporter: { tolerations },
          },
        },
        // The workflows of Argo that replace nodes are off, so their controller and kinds have no use.
        remediation: { enabled: false, installCRDs: false },
        'node-feature-discovery': {
          // Another release brings it where the cluster has GPUs of NVIDIA.
          enabled: !hasOtherGpus(context),
          worker: { tolerations: [...NFD_TOLERATIONS, ...tolerations] },
        },
      };
    },
    imageValues: (mirror) => ({
      controllerManager: { manager: { image: { repository: `${mirror}/rocm/amd-gpu-operator` } } },
      deviceConfig: { spec: { draDriver: { image: `${mirror}/${DRA_DRIVER}` } } },
      'node-feature-discovery': { image: { repository: `${mirror}/nfd/node-feature-discovery` } },
    }),
  },
];

/**
 * The nodes with AMD GPUs. In Azure, GPUs are virtual functions, which do not have the label that the chart selects
 * (helm-charts-k8s/templates/gpu-nfd-default-rule.yaml: 74b5). Undefined: the default of the chart.
 */
function selectorOf({ cluster, classes }: ReleaseContext): Readonly<Record<string, string>> | undefined {
  const pools = amdPoolsOf({ cluster, classes });
  const sizes = sortUnique(
    pools.flatMap(({ className }) => classes.get(className)?.spec.provisioning?.aks?.vmSize ?? []),
  );
  const [size] = sizes;
  if (cluster.spec.cluster.source !== 'AKS' || size === undefined || sizes.length > 1) return undefined;
  return { 'node.kubernetes.io/instance-type': size };
}

function hasOtherGpus({ cluster, classes }: ReleaseContext): boolean {
  return cluster.spec.nodePools.some(({ className }) => {
    const declared = classes.get(className);
    return declared !== undefined && (hasNvidiaGpus(declared) || claimsDevicesOf(NVIDIA_DRIVER, cluster, declared));
  });
}
