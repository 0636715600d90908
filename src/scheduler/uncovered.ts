import { demandOf } from './demand-of';
import { fitOn } from './fit';
import { byIdentity } from './identity';
import { type Charge, Ledger } from './ledger';
import type { Matcher } from './matcher';
import type { Model, Pool } from './model';
import { poolOf } from './pool-of';
import type { Placement } from './types';

/** Placements that a pool has promised more for than a snapshot leaves it. */
export interface Uncovered {
  readonly pool: Pool;
  /** The fewest that would have to go, sorted: those leaving, then those placed last. */
  readonly placements: readonly Placement[];
}

/** What stands on nodes that snapshots show as lost. It stays; a reader of the plan should know. */
export function uncovered(model: Model, placements: readonly Placement[], matcher: Matcher): Uncovered[] {
  const short = model.sites.flatMap(({ pools }) => pools).filter(({ lost }) => lost > 0);
  if (short.length === 0) return [];
  const ledger = new Ledger();
  const charged = chargesOf(model, placements, matcher);
  for (const { charges } of charged) ledger.add(charges);
  const lastFirst = charged.toReversed();
  const order = [
    ...lastFirst.filter(({ placement }) => placement.leaving),
    ...lastFirst.filter(({ placement }) => !placement.leaving),
  ];
  return short.flatMap((pool) => {
    const over: Placement[] = [];
    for (const { placement, charges } of order) {
      const own = charges.filter((charge) => charge.pool === pool);
      if (own.length === 0 || ledger.missingNodes(pool, []) === 0) continue;
      ledger.remove(own);
      over.push(placement);
    }
    return over.length > 0 ? [{ pool, placements: over.sort(byIdentity) }] : [];
  });
}

interface Charged {
  readonly placement: Placement;
  readonly charges: readonly Charge[];
}

/** What each placement takes, deployments of higher priority first. */
function chargesOf(
  { sites, workloads }: Model,
  placements: readonly Placement[],
  matcher: Matcher,
): Charged[] {
  const byName = new Map(sites.map((site) => [site.name, site]));
  const ranks = new Map(workloads.map((workload, rank) => [workload.id, { workload, rank }]));
  const rankOf = ({ deployment }: Placement): number => ranks.get(deployment)?.rank ?? 0;
  const ordered = [...placements].sort((a, b) => rankOf(a) - rankOf(b) || byIdentity(a, b));
  return ordered.flatMap((placement) => {
    const site = byName.get(placement.cluster);
    const workload = ranks.get(placement.deployment)?.workload;
    const demand = workload && demandOf(workload, placement);
    if (!site || !demand) return [];
    const pools = demand.engines.map(({ name }) => poolOf(site, placement, name));
    const fit = fitOn(demand, pools, matcher);
    return 'misfit' in fit ? [] : [{ placement, charges: fit.charges }];
  });
}
