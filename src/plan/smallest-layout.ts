import type { ModelDeployment } from '../api/model-deployment';
import { poolKeyOf } from '../cost/pool-prices';
import { findCandidateClasses } from '../engine/expand/candidate-classes';
import type { Fleet } from '../fleet/fleet';
import { type FitQuestion, fitModel } from '../sizing/fit-model';
import { nameLayout } from '../sizing/layout-rules';

/** A pool by its cluster and name. */
interface PoolPlace {
  readonly cluster: string;
  readonly pool: string;
}

/**
 * Names the smallest layout that holds a model: `2 x L40S, TP 2 (class l40s)`. The GPUs of some pools come first, then those
 * of other classes that the deployment can get, and gangs last. Undefined: none holds it.
 *
 * @param pools those whose GPUs the deployment requests
 */
export function nameSmallestLayout(
  question: FitQuestion,
  { deployment, fleet, pools }: { deployment: ModelDeployment; fleet: Fleet; pools: readonly PoolPlace[] },
): string | undefined {
  const candidates = findCandidateClasses(deployment, fleet).filter(({ nodes }) => nodes > 0);
  const requested = listClasses(pools, fleet);
  const gpus = new Set(candidates.filter(({ hardware }) => requested.has(hardware)).map(({ gpu }) => gpu.name));
  const rows = fitModel(question, candidates).filter(({ verdict }) => verdict === 'fits');
  const alone = rows.filter(({ layout }) => layout.nodes === 1);
  const found = alone.find(({ gpu }) => gpus.has(gpu)) ?? alone[0] ?? rows[0];
  return found && `${nameLayout({ ...found.layout, gpu: found.gpu })} (class ${found.hardware})`;
}

function listClasses(pools: readonly PoolPlace[], { clusters }: Fleet): ReadonlySet<string> {
  const keys = new Set(pools.map(({ cluster, pool }) => poolKeyOf(cluster, pool)));
  return new Set(
    clusters.flatMap(({ metadata, spec }) =>
      spec.nodePools.flatMap(({ name, className }) => (keys.has(poolKeyOf(metadata.name, name)) ? [className] : [])),
    ),
  );
}
