import { z } from 'zod';
import { fields } from '../reading/fields';
import { labelKey, labelValue } from './label-map';
import { distinct } from './list';

/** Something that repels what does not tolerate it. */
export interface Taint<E extends string = string> {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: E;
}

/** Effects of a taint on a cluster: keep new replicas off, or also drain those that are there. */
export const CLUSTER_EFFECTS = ['NoSchedule', 'NoExecute'] as const;

/** Effects of a taint on a node, as Kubernetes has them. */
export const NODE_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** A list of taints, one for each key and effect. */
export function taints<const E extends string>(effects: readonly E[]) {
  const taint = fields({
    key: labelKey.describe('What it is about, a label key.'),
    value: labelValue.optional().describe('A value that tolerations may ask for.'),
    effect: z.enum(effects).describe('What happens to what does not tolerate it.'),
  });
  return z
    .array(taint)
    .check(distinct((t: { key: string; effect: string }) => `${t.key}:${t.effect}`, 'the taint'))
    .default([]);
}
