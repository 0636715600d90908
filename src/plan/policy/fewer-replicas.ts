import { parseNamespace } from '../../api/resource';
import type { FewerReplicas } from '../../fleet/policy';
import { placeMissing } from '../../scheduler/applied-remedy';
import type { CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { groupByDeployment, type Placement } from '../../scheduler/placement';

interface PlacedFleet {
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
  readonly placements: readonly Placement[];

  /** The lock. */
  readonly previous: { readonly placements: readonly Placement[] };
}

/** The most deployments to try. */
const MOST_TRIED = 3;

/** The most replicas to place in all trials for one rule. */
const TRIED_REPLICAS = 20_000;

/**
 * Finds deployments of which fewer new replicas meet a limit, with the most that do. Each number was tried, with all other
 * deployments where they are. Those with the most new replicas are tried first.
 *
 * @param namespace what the limit is about. Undefined: the fleet
 */
export function findFewerReplicas(
  { model, matcher, placements, previous }: PlacedFleet,
  namespace: string | undefined,
  meets: (placements: readonly Placement[]) => boolean,
): FewerReplicas[] {
  const before = groupByDeployment(previous.placements);
  const growing = model.deployments.flatMap((deployment) => {
    const [was, from] = [previous.placements, placements].map((all) => countStaying(all, deployment));
    // No replicas at all are no remedy.
    const least = Math.max(1, was ?? 0);
    const isMeant = namespace === undefined || parseNamespace(deployment.id) === namespace;
    return isMeant && from !== undefined && from > least ? [{ deployment, least, from }] : [];
  });
  growing.sort((a, b) => b.from - b.least - (a.from - a.least));
  let left = TRIED_REPLICAS;
  const fits = (deployment: CompiledDeployment, replicas: number): boolean => {
    left -= placements.length;
    if (left < 0) return false;
    const others = placements.filter((one) => one.deployment !== deployment.id);
    const lines = [...others, ...(before.get(deployment.id) ?? [])];
    const tried = placeMissing({ model, placements: lines, deployment: { ...deployment, replicas } }, [], matcher);
    return meets(tried.placements);
  };
  return growing.slice(0, MOST_TRIED).flatMap(({ deployment, from, ...bounds }): FewerReplicas[] => {
    let [least, most] = [bounds.least, from - 1];
    if (!fits(deployment, least)) return [];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (fits(deployment, middle)) least = middle;
      else most = middle - 1;
    }
    const { id, replicas: declared } = deployment;
    return [{ deployment: id, from, to: least, ...(declared > from && { declared }) }];
  });
}

function countStaying(placements: readonly Placement[], { id }: CompiledDeployment): number {
  return (groupByDeployment(placements).get(id) ?? []).filter(({ draining }) => !draining).length;
}
