import { groupBy } from '../order';
import { fitReplica } from './fit';
import type { Model, Workload } from './model';
import { Rejections } from './rejections';
import { retain } from './retain';
import { State } from './state';
import type { Placement, Rejection } from './types';

/** How a deployment stands on every cluster of the fleet. */
export interface Explanation {
  readonly workload: Workload;
  readonly clusters: readonly ClusterExplanation[];
}

export interface ClusterExplanation {
  readonly cluster: string;
  readonly placements: readonly Placement[];
  /** Why no further replica fits there. Empty where one would. */
  readonly rejections: readonly Rejection[];
}

/** Tells, for one deployment and all placements of a fleet, where its replicas are and why no more fit elsewhere. */
export function explain(model: Model, placements: readonly Placement[], workload: Workload): Explanation {
  const state = new State(model);
  retain(state, placements);
  const own = state.placements().filter(({ deployment }) => deployment === workload.id);
  const reasons = new Rejections(model.sites, state.matcher, state.ledger);
  const { rejections } = reasons.of(workload, state.sitesOf(workload));
  const against = groupBy(rejections, ({ cluster }) => cluster);
  const there = groupBy(own, ({ cluster }) => cluster);
  const clusters = model.sites.map((site) => {
    const found = against.get(site.name) ?? [];
    const fits = found.every(({ reason }) => reason.filter === 'together');
    const room = fits && fitReplica(workload.demand, site, state.matcher, state.ledger) !== undefined;
    return {
      cluster: site.name,
      placements: there.get(site.name) ?? [],
      rejections: room ? [] : found,
    };
  });
  return { workload, clusters };
}
