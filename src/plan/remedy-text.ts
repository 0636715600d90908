import type { Remedy } from '../scheduler/types';
import { formatTaint, plural } from './format';

type RemedyOf<K extends Remedy['kind']> = Extract<Remedy, { kind: K }>;

const REMEDIES: { readonly [K in Remedy['kind']]: (remedy: RemedyOf<K>) => string } = {
  nodes: ({ cluster, pool, nodes }) => `${plural(nodes, 'more node')} in ${cluster} / ${pool}`,
  toleration: ({ cluster, taints }) => `tolerate ${taints.map(formatTaint).join(', ')} on ${cluster}`,
  bound: ({ cluster, pool, request, selector, from, to }) =>
    `ask for ${to} instead of ${from} in selector ${selector + 1} of ${request}, on ${cluster} / ${pool}`,
};

/** A change that would help, as one clause. */
export function formatRemedy<K extends Remedy['kind']>(remedy: RemedyOf<K>): string {
  const format = REMEDIES[remedy.kind as K] as (remedy: RemedyOf<K>) => string;
  return format(remedy);
}
