import type { Locate } from '../api/locate';
import type { Fleet } from '../fleet';
import { renderedByOthers } from '../render/rendered-by';
import type { RendererFor } from '../render/renderers';
import type { ComputedReplica } from '../render/replica';
import { refuseUnreachable } from './air-gapped';
import { cacheNotes, holdings } from './cache-notes';
import { refuseUnstageable } from './cache-problems';
import { provisioningNotes } from './provisioning-notes';
import { securityNotes } from './security-notes';
import { uncheckedVersions } from './unchecked-versions';

/**
 * What the reader of a plan should know of what lands on clusters, and need not mend.
 *
 * @throws FleetwrightError when a cache is on a cluster that cannot hold it, or not fetch it
 */
export function fleetNotes(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  rendererFor: RendererFor,
  locate: Locate,
): string[] {
  const held = holdings(fleet, replicas);
  refuseUnstageable(held, locate);
  refuseUnreachable(held, locate);
  return [
    ...uncheckedVersions(replicas),
    ...provisioningNotes(fleet.clusters),
    ...cacheNotes(held),
    ...renderedByOthers(replicas, rendererFor),
    ...securityNotes(replicas, rendererFor),
  ];
}
