import { describeUncheckedVersions } from '../../src/plan/notes';
import { aCluster, aDeployment, anEngine, type Doc, request } from '../api/build';
import { aReplica } from '../render/build';

const TOLERANT = { ...request('gpu', 1), tolerations: [{ operator: 'Exists' }] };

const FLEXIBLE = { name: 'gpu', firstAvailable: [{ name: 'a', selectors: [{ cel: 'true' }] }] };

/** A replica on an existing cluster whose pods ask for a device. */
const on = (name: string, device: Doc, kubernetesVersion?: string, options: Doc = {}) => {
  const existing = { secretRef: { name: 'kubeconfig' }, ...(kubernetesVersion && { kubernetesVersion }) };
  const cluster = aCluster(name, {
    pools: { h100: 1 },
    cluster: { source: 'Existing', existing },
    ...options,
  });
  return aReplica(aDeployment('ml/q', { engines: [anEngine('main', { devices: [device] })] }), { cluster });
};

const cases: Record<string, { replicas: ReturnType<typeof on>[]; want: string[] }> = {
  'one note names clusters and features': {
    replicas: [on('us', TOLERANT), on('eu', TOLERANT), on('eu', TOLERANT)],
    want: [
      "Whether Kubernetes on eu, us is recent enough for 'tolerations' of a device request (1.36 or later) is not checked. Set spec.cluster.existing.kubernetesVersion.",
    ],
  },
  'a declared version is checked': { replicas: [on('us', TOLERANT, '1.36')], want: [] },
  'so is one that the cloud has by default': {
    replicas: [aReplica(aDeployment('ml/q', { engines: [anEngine('main', { devices: [TOLERANT] })] }))],
    want: [],
  },
  'what every version with claims has needs no note': { replicas: [on('us', request('gpu', 1))], want: [] },
  'nor do alternatives, which all of them have': { replicas: [on('us', FLEXIBLE)], want: [] },
  'without DRA nothing depends on it': {
    replicas: [on('us', TOLERANT, undefined, { dra: false })],
    want: [],
  },
};

test.each(Object.entries(cases))('a version that no one declares: %s', (_, { replicas, want }) => {
  expect(describeUncheckedVersions(replicas)).toEqual(want);
});
