import type { FleetDiff } from '../../diff/fleet-diff';
import type { RouteChanges } from '../../diff/route-changes';
import { formatElsewhere, type FormatCauses } from '../diff/change-sentences';
import {
  formatDeploymentRow,
  groupDeployments,
  groupRoutes,
  listsOfReplicas,
  listsOfRoutes,
  pointToAll,
} from '../diff/grouped-changes';
import { mergeReplicaRows } from '../diff/replica-rows';
import type { Block } from '../document/document';
import { EACH_CHANGE } from '../document/write-markdown';

/** The changes of replicas as the terminal groups them, without marks, because the table above counts each action. */
export function formatReplicasFold(diff: FleetDiff, because: FormatCauses): Block[] {
  const rows = groupDeployments(diff);
  const inRows = new Set(rows.flatMap((row) => row.deployments));
  const single = diff.deployments.filter(({ deployment }) => !inRows.has(deployment));
  return [
    ...single.flatMap((one): Block[] => {
      const lines = mergeReplicaRows(one.changes, because).map(({ cells: [place], text }) => `${place}   ${text}`);
      return [one.deployment, { indent: 4, blocks: [...lines, ...formatElsewhere(one)] }];
    }),
    ...rows.map(formatDeploymentRow),
    ...pointToAll(EACH_CHANGE, listsOfReplicas(diff)),
  ];
}

/** The changes of routes as the terminal groups them. */
export function formatRoutesFold(routes: RouteChanges, because: FormatCauses): Block[] {
  return [...groupRoutes(routes, because), ...pointToAll(EACH_CHANGE, listsOfRoutes(routes))];
}
