import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';

/** The error for a wave that does not become ready. */
export function reportNotReady(deployment: string, missing: readonly string[]): Diagnostic {
  const what = `a wave of its replicas does not become ready, so the next one keeps what it runs. ${missing.join('. ')}`;
  const hint =
    "Fix the cause and run the update again, which continues there, or set 'waves: false' to replace all at once";
  return errorAt('wave-not-ready', deployment, what, hint);
}

/** The warning for other replicas whose rollout does not end: they are replaced in a later wave. */
export function warnOthersNotReady(deployment: string, restless: readonly string[]): Diagnostic {
  const what = `a wave goes on, although others of its replicas are not ready. ${restless.join('. ')}`;
  return warningAt('wave-not-ready', deployment, what, "Look at them with 'fleetwright status'");
}
