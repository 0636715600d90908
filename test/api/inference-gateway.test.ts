import { aGateway, parsed } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, told } from './rows';

const bad: Record<string, BadRow> = {
  'a gateway stands on at most 64 clusters': {
    change: { 'spec.clusters': Array.from({ length: 65 }, (_, index) => `us-${index}`) },
    want: ['spec.clusters: a list of 65 items is above the maximum of 64.'],
  },
  "the load balancer's block is required": {
    change: { 'spec.traefik.metallb': undefined },
    want: [
      "spec.traefik.metallb: the field 'metallb' is missing. A gateway with loadBalancer MetalLB needs it.",
    ],
  },
  "the backend's block is required": {
    change: { 'spec.traefik': undefined },
    want: ["spec.traefik: the field 'traefik' is missing. A gateway with backend Traefik needs it."],
  },
  'a backend is one that we know': {
    change: { 'spec.backend': 'Envoy' },
    want: ["spec.backend: expected 'Traefik', got 'Envoy'."],
  },
  'the alias group requires a backend': {
    change: { apiVersion: 'modelplane.ai/v1alpha1', spec: {} },
    want: [
      "spec.backend: the field 'backend' is missing. Use Traefik, or declare the gateway under fleetwright.dev/v1alpha1.",
    ],
  },
  'a gateway stands on a cluster once': {
    change: { 'spec.clusters': ['us-east', 'us-east'] },
    want: [
      "spec.clusters.1: the cluster 'us-east' stands here twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  "a cluster's name is a DNS name": {
    change: { 'spec.clusters': ['US'] },
    want: [
      "spec.clusters.0: 'US' is not a DNS name. Use lowercase letters, digits and '-', with a letter or digit at both ends of each part between dots.",
    ],
  },
};

describe('InferenceGateway', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(told(changed(fullDocument('InferenceGateway'), change))).toEqual(want);
  });

  test('a gateway of ours needs no backend', () => {
    expect(aGateway('default', 'us').spec).toEqual({ clusters: ['us'] });
  });

  test('a gateway of the alias group needs no clusters', () => {
    const spec = { backend: 'Traefik', traefik: { version: '40.2.0' } };
    const want = { clusters: [], ...spec };
    expect(parsed('InferenceGateway', 'default', spec, { group: 'modelplane.ai' }).spec).toEqual(want);
  });
});
