import { minorOf, versionOf, versionPath } from '../cluster-features';
import type { FleetCheck } from './fault';

/**
 * The minor version of Kubernetes 1 from which on all that our pods have is there by default: hooks that wait
 * (KEP-3960) since 1.30, sidecars among init containers (KEP-753) since 1.29.
 */
const PODS_SINCE = 30;

/** Every cluster with pools takes our pods: an API server that is older drops what it does not know without a word. */
export const podsServed: FleetCheck = function* ({ clusters }) {
  for (const resource of clusters) {
    const { dra, nodePools } = resource.spec;
    const minor = minorOf(resource);
    // With DRA a later one is asked for anyway.
    if (dra || nodePools.length === 0 || minor === undefined || minor >= PODS_SINCE) continue;
    yield {
      code: 'old-version',
      resource,
      path: versionPath(resource),
      what: `Kubernetes ${versionOf(resource)} does not know hooks that wait and sidecars, which pods have`,
      hint: `Use 1.${PODS_SINCE} or later`,
    };
  }
};
