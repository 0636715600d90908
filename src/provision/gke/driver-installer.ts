import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';

const NAME = 'nvidia-driver-installer';
const LABELS = { 'k8s-app': NAME, ...MANAGED_BY };

/** The path of the driver on a node. The chart of the DRA driver also uses it. */
const DRIVER_PATH = '/home/kubernetes/bin/nvidia';

const FOLDERS = [
  { name: 'dev', path: '/dev', mountPath: '/dev' },
  { name: 'driver', path: DRIVER_PATH, mountPath: '/usr/local/nvidia' },
  { name: 'vulkan', path: `${DRIVER_PATH}/vulkan/icd.d`, mountPath: '/etc/vulkan/icd.d' },
  { name: 'root', path: '/', mountPath: '/root' },
  { name: 'tools', path: '/var/lib/cos-tools', mountPath: '/build/cos-tools' },
];

const ENVIRONMENT = {
  NVIDIA_INSTALL_DIR_HOST: DRIVER_PATH,
  NVIDIA_INSTALL_DIR_CONTAINER: '/usr/local/nvidia',
  VULKAN_ICD_DIR_HOST: `${DRIVER_PATH}/vulkan/icd.d`,
  VULKAN_ICD_DIR_CONTAINER: '/etc/vulkan/icd.d',
  ROOT_MOUNT_DIR: '/root',
  COS_TOOLS_DIR_HOST: '/var/lib/cos-tools',
  COS_TOOLS_DIR_CONTAINER: '/build/cos-tools',
};

/**
 * Renders the DaemonSet that installs the NVIDIA driver on GKE nodes without a driver. The image of the installer is
 * part of Container-Optimized OS, so it is not pulled (GoogleCloudPlatform/container-engine-accelerators,
 * nvidia-driver-installer/cos/daemonset-preloaded.yaml). Unlike the original, it does not partition GPUs.
 *
 * It also supports A4X: Google's guide to A4X on GKE (2026-04) applies the same file to pools without a driver. The
 * separate A4X file in that repository is kept for users of the preview (pull request 469). Its image
 * `cos-gpu-installer:v2.4.7` replaced the missing installer on earlier nodes (457), and it omitted the partitioner,
 * which only ran on x86.
 *
 * @param mirror replaces all registries. Default: none
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
          // Otherwise the autoscaler keeps nodes on which only this pod runs.
          annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
        },
        spec: renderInstallerPod(mirror),
      },
    },
  };
}

function renderInstallerPod(mirror: string) {
  return {
    priorityClassName: 'system-node-critical',
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: NODES_WITHOUT_DRIVER } },
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
        volumeMounts: FOLDERS.map(({ name, mountPath }) => ({ name, mountPath })),
      },
    ],
    // The pod of a DaemonSet must keep running after its work is done.
    containers: [{ name: 'pause', image: `${mirror}/pause:3.10` }],
  };
}

const NODES_WITHOUT_DRIVER = {
  nodeSelectorTerms: [
    {
      matchExpressions: [
        { key: 'cloud.google.com/gke-accelerator', operator: 'Exists' },
        { key: 'cloud.google.com/gke-gpu-driver-version', operator: 'DoesNotExist' },
      ],
    },
  ],
};
