import { nearest } from '../../nearest';
import { labelsOf } from '../cluster-labels';
import { canonicalLabel } from '../labels';
import { firstUnmet } from '../label-match';
import type { FleetCheck } from './fault';

type Labels = Readonly<Record<string, string>>;

/** Every entry of a list of preferred clusters selects some cluster: an entry that selects none is a slip. */
export const preferredClusters: FleetCheck = function* ({ clusters, deployments }) {
  if (clusters.length === 0) return;
  const all = clusters.map(labelsOf);
  for (const resource of deployments) {
    for (const [index, selector] of resource.spec.placement.preferred.entries()) {
      if (all.some((labels) => !firstUnmet(selector, labels))) continue;
      yield {
        code: 'no-target',
        resource,
        path: ['spec', 'placement', 'preferred', index],
        what: `no cluster has the labels ${shownLabels(selector.matchLabels)}`,
        hint: correction(selector.matchLabels, all) ?? 'Correct the labels, or remove the entry',
      };
    }
  }
};

function shownLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** The key or value that was probably meant, for the first label that no cluster has. */
function correction(wanted: Labels, clusters: readonly Labels[]): string | undefined {
  for (const [key, value] of Object.entries(wanted)) {
    const values = clusters.flatMap(({ [canonicalLabel(key)]: actual }) => actual ?? []);
    if (values.includes(value)) continue;
    const meant = values.length > 0 ? nearest(value, values) : nearest(key, clusters.flatMap(Object.keys));
    return meant && (values.length > 0 ? `Use '${key}: ${meant}'` : `Use '${meant}'`);
  }
  return undefined;
}
