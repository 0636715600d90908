import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet';
import { DEFINITIONS } from './definitions';
import type { ReleaseDefinition } from './release';
import { releasesNeeded } from './releases-of';

/** The releases that a cluster needs and that its `servingStack` leaves to others: they have to be there. */
export function releasesLeftOut(
  cluster: InferenceCluster,
  fleet: Pick<Fleet, 'classes' | 'clusters' | 'gateways'>,
): ReleaseDefinition[] {
  const isLeftOut = ({ key }: ReleaseDefinition): boolean =>
    cluster.spec.servingStack[key]?.install === false;
  // Who needs what takes long on large fleets, and hardly any cluster leaves something out.
  return DEFINITIONS.some(isLeftOut) ? releasesNeeded(cluster, fleet).filter(isLeftOut) : [];
}
