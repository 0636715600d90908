import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { findRefusedDownloads, type RefusedDownload } from '../plan/warnings/gated-models';
import type { DeploymentDiff } from './deployment-diff';
import type { FleetDiff } from './fleet-diff';

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule'>;

/** A deployment whose new pods never serve, although it serves today. */
export interface DownloadRefused {
  readonly change: DeploymentDiff;
  readonly download: RefusedDownload;
}

/** Finds deployments with replicas that change to engines which cannot download what they load, and did not before. */
export function findDownloadsRefused(
  { deployments }: FleetDiff,
  { before, after }: Readonly<Record<'before' | 'after', Placed>>,
): DownloadRefused[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  return deployments.flatMap((change) => {
    const { deployment: id, serving, changes } = change;
    const [was, is] = [earlier?.get(id), later?.get(id)];
    const restarts = changes.some(({ action }) => action === 'roll' || action === 'move');
    if (!was || !is || !restarts || serving.before === 0) return [];
    // What has no token today, and serves, has another source of the files.
    const known = new Set(findRefusedDownloads(was, before).map(({ repository }) => repository));
    const download = findRefusedDownloads(is, after).find(({ repository }) => !known.has(repository));
    return download ? [{ change, download }] : [];
  });
}
