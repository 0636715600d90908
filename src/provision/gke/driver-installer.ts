import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';

const NAME = 'nvidia-driver-installer';
const LABELS = { 'k8s-app': NAME, ...MANAGED_BY };

/** Where the driver goes on a node; the chart of the DRA driver finds it there. */
const DRIVER = '/home/kubernetes/bin/nvidia';

/** Folders of a node, and where the installer has them. */
const FOLDERS = [
  { name: 'dev', path: '/dev', inside: '/dev' },
  { name: 'driver', path: DRIVER, inside: '/usr/local/nvidia' },
  { name: 'vulkan', path: `${DRIVER}/vulkan/icd.d`, inside: '/etc/vulkan/icd.d' },
  { name: 'root', path: '/', inside: '/root' },
  { name: 'tools', path: '/var/lib/cos-tools', inside: '/build/cos-tools' },
];

const ENVIRONMENT = {
  NVIDIA_INSTALL_DIR_HOST: DRIVER,
  NVIDIA_INSTALL_DIR_CONTAINER: '/usr/local/nvidia',
  VULKAN_ICD_DIR_HOST: `${DRIVER}/vulkan/icd.d`,
  VULKAN_ICD_DIR_CONTAINER: '/etc/vulkan/icd.d',
  ROOT_MOUNT_DIR: '/root',
  COS_TOOLS_DIR_HOST: '/var/lib/cos-tools',
  COS_TOOLS_DIR_CONTAINER: '/build/cos-tools',
};

/**
 * The DaemonSet that installs the NVIDIA driver on nodes of GKE that come without one. The installer's image is on
 * every node with Container-Optimized OS, so none is pulled (GoogleCloudPlatform/container-engine-accelerators,
 * nvidia-driver-installer/cos/daemonset-preloaded.yaml). Unlike the original it makes no partitions of GPUs.
 *
 * It is that of A4X too: Google's guide to A4X on GKE (2026-04) applies the same file to pools without a driver. A
 * file for A4X alone beside it is kept for users of its preview (pull request 469 there): its image
 * `cos-gpu-installer:v2.4.7` stood in for nodes that did not have the installer yet (457), and it left out what makes
 * partitions, which ran on x86 only.
 *
 * @param mirror stands for all registries. Default: none
 */
export function renderDriverInstaller(mirror = 'registry.k8s.io'): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      selector: { matchLabels: { 'k8s-app': NAME } },
      template: {
        metadata: {
          labels: LABELS,
          // Otherwise the autoscaler keeps nodes on which nothing else is left.
          annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
        },
        spec: installerPod(mirror),
      },
    },
  };
}

function installerPod(mirror: string) {
  return {
    priorityClassName: 'system-node-critical',
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: WHERE } },
    tolerations: [{ operator: 'Exists' }],
    hostNetwork: true,
    hostPID: true,
    volumes: FOLDERS.map(({ name, path }) => ({ name, hostPath: { path } })),
    initContainers: [
      {
        name: 'install',
        image: 'cos-nvidia-installer:fixed',
        imagePullPolicy: 'Never',
        resources: { requests: { cpu: '150m' } },
        securityContext: { privileged: true },
        env: Object.entries(ENVIRONMENT).map(([name, value]) => ({ name, value })),
        volumeMounts: FOLDERS.map(({ name, inside }) => ({ name, mountPath: inside })),
      },
    ],
    // A DaemonSet has to go on running when its work is done.
    containers: [{ name: 'pause', image: `${mirror}/pause:3.10` }],
  };
}

/** Nodes with GPUs on which GKE does not install the driver itself. */
const WHERE = {
  nodeSelectorTerms: [
    {
      matchExpressions: [
        { key: 'cloud.google.com/gke-accelerator', operator: 'Exists' },
        { key: 'cloud.google.com/gke-gpu-driver-version', operator: 'DoesNotExist' },
      ],
    },
  ],
};
