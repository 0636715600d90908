import type { Measure } from '../catalog/engines/engine-metrics';

/** A fixed number of copies, or the bounds between which an autoscaler chooses. */
export type Copies = number | { readonly min: number; readonly max: number };

/** The bounds of the copies of an engine. They are equal for a fixed number. */
export function copyBoundsOf({ copies: declared }: { readonly copies: Copies }): {
  readonly min: number;
  readonly max: number;
} {
  return typeof declared === 'number' ? { min: declared, max: declared } : declared;
}

/** Whether an autoscaler chooses the number of copies. */
export function isAutoscaled({ copies: declared }: { readonly copies: Copies }): boolean {
  return typeof declared !== 'number';
}

/** The copies for which the plan reserves room: as many as there can be. */
export function reservedCopiesOf(engine: { readonly copies: Copies }): number {
  return copyBoundsOf(engine).max;
}

/** Whether an autoscaler chooses the number of copies of an engine of a deployment. */
export function isAutoscaledDeployment({ spec }: Deployed): boolean {
  return spec.template.spec.engines.some(isAutoscaled);
}

/** Whether a deployment can have no copy that serves, so that something must hold requests until the first one does. */
export function scalesToZero({ spec }: Deployed): boolean {
  return spec.template.spec.engines.some((engine) => copyBoundsOf(engine).min === 0);
}

interface Deployed {
  readonly spec: { readonly template: { readonly spec: { readonly engines: readonly { readonly copies: Copies }[] } } };
}

/** The text in a query that the labels of the engine replace. */
export const LABELS_PLACEHOLDER = '$(labels)';

/** What the signals are called in the metrics of engines. */
export const SIGNAL_MEASURES = {
  queue: 'waiting',
  running: 'running',
  kvUse: 'kvUse',
} as const satisfies Readonly<Record<string, Measure>>;

/** The longest period of a HorizontalPodAutoscaler. */
export const MOST_SECONDS_BETWEEN_ADDITIONS = 1800;

/** Whether the engine is a gang: a leader with its workers, on several nodes. */
export function isGang({ members }: { readonly members: readonly unknown[] }): boolean {
  return members.length > 1;
}
