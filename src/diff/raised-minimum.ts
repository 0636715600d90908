import type { FleetDiff } from './fleet-diff';
import type { Cause } from './replica-causes';

/** The edit without which `minAvailable` is met. */
export function findRaise(
  { change, serving }: { readonly change: { readonly deployment: string }; readonly serving: number },
  { declarations }: Pick<FleetDiff, 'declarations'>,
): { readonly raised?: Cause } {
  const declaration = declarations.find(({ id }) => id === `ModelDeployment ${change.deployment}`);
  const field = declaration?.fields.find((one) => one.field === 'spec.minAvailable');
  if (!declaration || !field || typeof field.after !== 'number' || Number(field.before ?? 0) > serving) return {};
  return { raised: { id: declaration.id, action: declaration.action, where: field.where, field } };
}
