import { groupBy } from '../order';
import type { Needed } from '../render/must-exist';
import type { ClusterNeeds } from './cluster-needs';
import { shortList } from './format';
import { PLAIN, type Style } from './style';

/**
 * What has to be on clusters before manifests are applied, for a person: a line an object, by namespace. Clusters
 * that lack the same stand together.
 */
export function formatNeeds(needs: readonly ClusterNeeds[], style: Style = PLAIN): string[] {
  if (needs.length === 0) return [];
  const alike = groupBy(needs, ({ objects }) => JSON.stringify(objects));
  return [
    style.strong('Must exist before manifests are applied:'),
    ...[...alike.values()].flatMap((same) => [
      `  ${shortList(same.map(({ cluster }) => cluster))}`,
      ...(same[0]?.objects ?? []).map((object) => `    ${formatNeeded(object)}`),
    ]),
  ];
}

/** `Secret ml/hugging-face (HF_TOKEN), for ModelCache ml/qwen3`. */
function formatNeeded({ kind, namespace, name, keys, dnsNames = [], for: owners }: Needed): string {
  const id = namespace === undefined ? name : `${namespace}/${name}`;
  const read = keys.length > 0 ? ` (${keys.join(', ')})` : '';
  const names = dnsNames.length > 0 ? ` of ${shortList(dnsNames)}` : '';
  return `${kind} ${id}${read}${names}, for ${shortList(owners)}`;
}
