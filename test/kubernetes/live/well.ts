import { existsSync } from 'node:fs';
import { CRDS } from '../harness/paths';

/** That a kind is not served which no Go module brings. */
const NOT_HERE = / {2}warning {2}leader-worker-set: .* is not served, and nothing declared needs it yet\./;

/** Whether the doctor finds nothing amiss, but for the CRD that is not here where the folder of such is not. */
export function isWell(out: string): boolean {
  if (existsSync(CRDS)) return out.includes('0 failures, 0 warnings, 0 unknown');
  return out.includes('0 failures, 1 warning, 0 unknown') && NOT_HERE.test(out);
}
