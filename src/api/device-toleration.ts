import { z } from 'zod';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import { goodKey, noValueForExists, tolerationFields } from './shared/toleration';

/** Kubernetes' limit for the tolerations of one request. */
const MOST_TOLERATIONS = 16;

const secondsForNoExecute: Rule<{ effect?: string | undefined; tolerationSeconds?: number | undefined }> =
  function* ({ effect, tolerationSeconds }) {
    if (tolerationSeconds === undefined || effect === 'NoExecute') return;
    yield {
      code: 'bad-toleration',
      path: ['tolerationSeconds'],
      what: 'only a toleration with effect NoExecute has an end',
      hint: "Remove tolerationSeconds, or set 'effect: NoExecute'",
    };
  };

/** Taints of devices, as drivers and administrators set them, that a request puts up with (KEP-5055). */
export const deviceTolerations = z
  .array(
    fields({
      ...tolerationFields,
      tolerationSeconds: z
        .int()
        .min(0)
        .optional()
        .describe('For effect NoExecute: how long the pod stays. Default: for ever.'),
    }).check(rules(goodKey, noValueForExists, secondsForNoExecute)),
  )
  .max(MOST_TOLERATIONS)
  .default([]);
