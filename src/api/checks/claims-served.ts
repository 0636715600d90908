import { CLAIMS_SINCE } from '../claim-features';
import { minorOf, versionOf, versionPath } from '../cluster-features';
import type { InferenceClass } from '../inference-class';
import type { FleetCheck } from './fault';

/** Every cluster with pools gives devices to pods in one way or the other: by claims, or as extended resources. */
export const claimsServed: FleetCheck = function* ({ classes, clusters }) {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  for (const resource of clusters) {
    const { dra, nodePools } = resource.spec;
    const minor = minorOf(resource);
    if (dra && nodePools.length > 0 && minor !== undefined && minor < CLAIMS_SINCE) {
      yield {
        code: 'no-claims',
        resource,
        path: versionPath(resource),
        what: `Kubernetes ${versionOf(resource)} does not serve resource.k8s.io/v1`,
        hint: `Use 1.${CLAIMS_SINCE} or later, or set 'dra: false'`,
      };
    }
    for (const [p, { className }] of nodePools.entries()) {
      const declared = byName.get(className);
      if (dra || !declared || isCounted(declared)) continue;
      yield {
        code: 'no-claims',
        resource,
        path: ['spec', 'nodePools', p, 'className'],
        what: `the cluster has 'dra: false', and InferenceClass '${className}' names no extended resource`,
        hint: 'Set extendedResource of its devices to what their device plugin counts: nvidia.com/gpu',
      };
    }
  }
};

function isCounted({ spec }: InferenceClass): boolean {
  const claimed = spec.devices.filter(({ claim }) => claim === 'DRA');
  return claimed.length === 0 || claimed.some(({ extendedResource }) => extendedResource !== undefined);
}
