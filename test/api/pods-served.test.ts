import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { checkFleet } from '../../src/plan/check-fleet';
import { aClass, aCluster, byPath, type Doc, gpus } from './build';

/** A cluster of this version, and what is wrong with it. */
function reported(kubernetesVersion: string | undefined, more: Doc = {}): string[] {
  const existing = { secretRef: { name: 'kubeconfig' }, ...(kubernetesVersion && { kubernetesVersion }) };
  const cluster = { cluster: { source: 'Existing', existing }, pools: { box: 1 }, dra: false, ...more };
  const box = aClass('box', { devices: [gpus(8, { extendedResource: 'nvidia.com/gpu' })] });
  return checkFleet(assemble([box, aCluster('own', cluster)]), byPath).map(formatDiagnostic);
}

const old = (version: string) => [
  `InferenceCluster own spec.cluster.existing.kubernetesVersion: Kubernetes ${version} does not support sleep hooks and sidecars, which the pods use. Use 1.30 or later.`,
];

describe('a cluster without DRA', () => {
  const cases: Record<string, { version: string | undefined; more?: Doc; want: string[] }> = {
    'may be as old as what its pods have': { version: '1.30', want: [] },
    'may not be older': { version: 'v1.29.3-gke.1', want: old('v1.29.3-gke.1') },
    'may be of a version that no one says': { version: undefined, want: [] },
    'may be older where no pod can be': { version: '1.29', more: { pools: {} }, want: [] },
    'is reported once, where it should have it': {
      version: '1.29',
      more: { dra: true },
      want: [
        "InferenceCluster own spec.cluster.existing.kubernetesVersion: Kubernetes 1.29 does not serve resource.k8s.io/v1. Use 1.34 or later, or set 'dra: false'.",
      ],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { version, more, want }) => {
    expect(reported(version, more)).toEqual(want);
  });
});
