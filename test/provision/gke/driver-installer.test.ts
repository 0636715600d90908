import { renderDriverInstaller } from '../../../src/provision/gke/driver-installer';
import { valuesAt } from '../build';

const POD = 'spec/template/spec';
const NODES = `${POD}/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms`;

const rows: Record<string, { mirror?: string; want: Record<string, unknown> }> = {
  'runs on nodes with GPUs on which GKE installs no driver, whatever their taints': {
    want: {
      [NODES]: [
        {
          matchExpressions: [
            { key: 'cloud.google.com/gke-accelerator', operator: 'Exists' },
            { key: 'cloud.google.com/gke-gpu-driver-version', operator: 'DoesNotExist' },
          ],
        },
      ],
      [`${POD}/tolerations`]: [{ operator: 'Exists' }],
    },
  },
  'installs with the image that is on every node, where the DRA driver looks': {
    want: {
      [`${POD}/initContainers/0/image`]: 'cos-nvidia-installer:fixed',
      [`${POD}/initContainers/0/imagePullPolicy`]: 'Never',
      [`${POD}/volumes/1/hostPath/path`]: '/home/kubernetes/bin/nvidia',
    },
  },
  'keeps no empty node': {
    want: {
      'spec/template/metadata/annotations': { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
    },
  },
  'pulls the one image that it pulls from a mirror where there is one': {
    mirror: 'registry.example.com/mirror',
    want: { [`${POD}/containers/0/image`]: 'registry.example.com/mirror/pause:3.10' },
  },
};

test.each(Object.entries(rows))('the installer %s', (_name, { mirror, want }) => {
  expect(valuesAt(renderDriverInstaller(mirror), want)).toEqual(want);
});
