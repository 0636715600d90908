import { createLossTrial, type LossTrial } from './simulate-loss';
import type { ChangedLimit, StrandedReplicas } from './survival';

interface RelaxedLimits {
  readonly limits: readonly [ChangedLimit, ...ChangedLimit[]];
  readonly trial: LossTrial;

  /** The deployments with a changed limit. */
  readonly changed: ReadonlyMap<string, ChangedLimit>;
}

/** Changes the limits that keep replicas from the clusters that come closest. Undefined: no limit keeps any. */
export function relaxLimits(
  trial: LossTrial,
  stranded: readonly Pick<StrandedReplicas, 'deployment' | 'nearest'>[],
): RelaxedLimits | undefined {
  const changes = stranded.map(({ deployment, nearest }): ChangedLimit | undefined => {
    const { reason } = nearest ?? {};
    if (reason?.filter !== 'spread' || reason.limit === 'no-domain') return undefined;
    const { limit: field, most: from = 0 } = reason;
    return { deployment, field, from, to: field === 'minDomains' ? from - 1 : from + 1 };
  });
  const byId = new Map(changes.flatMap((one) => (one ? [[one.deployment, one]] : [])));
  const [first, ...others] = byId.values();
  if (!first) return undefined;
  const deployments = trial.model.deployments.map((one) => {
    const limit = byId.get(one.id);
    return limit ? { ...one, placement: { ...one.placement, [limit.field]: limit.to } } : one;
  });
  const { retained: _, ...unlimited } = trial;
  return {
    limits: [first, ...others],
    changed: byId,
    trial: createLossTrial({ ...unlimited, model: { ...trial.model, deployments } }),
  };
}
