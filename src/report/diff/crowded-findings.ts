import type { Diagnostic } from '../../base/diagnostic';
import { groupBy } from '../../base/order';
import { capitalize, joinAnd, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { crowdedSurgeOf } from '../../plan/checks/crowded-surges';
import type { CiteEdits } from './change-sentences';
import type { RefusalText } from './gate-text';
import { describeCut, findCut, type NodeCut } from './shortfall-changes';

/** Surges that lose their room on a pool because an edit takes nodes of it away. */
export interface CrowdedFinding {
  /** What each of the deployments has. */
  readonly errors: readonly Diagnostic[];

  /** `namespace/name`. */
  readonly deployments: readonly string[];
  readonly cluster: string;
  readonly pool: string;

  /** The nodes that the surges lack together. */
  readonly nodes: number;
  readonly cut: NodeCut;
}

/** Finds surges that lose their room by an edit of a pool, by pool. Surges that are new with the change are errors alone. */
export function findCrowded(problems: readonly Diagnostic[], { declarations }: FleetDiff): CrowdedFinding[] {
  const causes = declarations.flatMap(({ id, action, fields }) =>
    fields.map((field) => ({ id, action, field, where: field.where })),
  );
  const short = problems.flatMap((error) => {
    const { deployment, pools = [] } = crowdedSurgeOf(error) ?? {};
    const [lacking, ...others] = pools;
    const isNew = causes.some((one) => one.id === error.subject && one.field.field.startsWith('spec.rollout'));
    if (deployment === undefined || !lacking || others.length > 0 || isNew) return [];
    const cut = findCut(lacking, causes);
    return cut ? [{ error, deployment, cut, ...lacking }] : [];
  });
  return [...groupBy(short, ({ cluster, pool }) => `${cluster}/${pool}`).values()].flatMap((group) => {
    return group.slice(0, 1).map(({ cluster, pool, nodes, cut }) => ({
      errors: group.map(({ error }) => error),
      deployments: group.map(({ deployment }) => deployment).sort(),
      cluster,
      pool,
      nodes,
      cut,
    }));
  });
}

/** `with 5 nodes in us / h100, the surges of ml/a and ml/b have no room (edit 1)`, and what to do. */
export function describeCrowded(
  { deployments, cluster, pool, nodes, cut }: CrowdedFinding,
  cite: CiteEdits,
): RefusalText {
  const [surges, have] = deployments.length === 1 ? ['surge', 'has'] : ['surges', 'have'];
  const place = `${pluralize(cut.after, 'node')} in ${cluster} / ${pool}`;
  const keep = describeCut(cut, { cluster, pool, nodes }, (cause) => cite.nameEdits([cause]));
  return {
    what: `With ${place}, the ${surges} of ${joinAnd(deployments)} ${have} no room${cite.because([cut.cause])}`,
    hint: `${capitalize(keep)}; or remove 'rollout.surge' of ${deployments.length === 1 ? 'it' : 'them'}, or accept downtime with 'rollout: Recreate'`,
  };
}
