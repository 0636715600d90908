import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';

/** The error for a wave that does not become ready. */
export function reportNotReady(deployment: string, missing: readonly string[]): Diagnostic {
  const what = `a wave of its replicas does not become ready, so the next wave does not start. ${missing.join('. ')}`;
  const hint =
    "Fix the cause and run the update again, which continues there, or set 'waves: false' to replace all at once";
  return errorAt('wave-not-ready', deployment, what, hint);
}

/** The warning for other replicas whose rollout does not end: they are replaced in a later wave. */
export function warnOthersNotReady(deployment: string, restless: readonly string[]): Diagnostic {
  const what = `a wave continues, although other replicas are not ready. ${restless.join('. ')}`;
  return warningAt('wave-not-ready', deployment, what, "Look at them with 'fleetwright status DIR'");
}

const UNLISTED_HINT =
  'Check that the cluster answers, and that you may list Deployments, LeaderWorkerSets and claim templates';

/** The warning for a cluster whose workloads cannot be listed, so that waves which would block are not found. */
export function warnUnlisted(cluster: string, why: string, hint: string = UNLISTED_HINT): Diagnostic {
  const what = `whether waves would block is unknown, because what runs there cannot be read: ${why}`;
  return warningAt('waves-unseen', cluster, what, hint);
}

const UNASKED_HINT = 'Check that the cluster answers the user who runs the program';

/** The warning for a cluster that does not answer in an update, so that no wave waits there. */
export function warnUnasked(cluster: string, why: string, hint: string = UNASKED_HINT): Diagnostic {
  const what = `replicas are not replaced in waves, as the cluster cannot be asked whether they are ready: ${why}`;
  return warningAt('waves-unseen', cluster, what, hint);
}

/** Why a cluster cannot be reached, as a clause: with the place of the problem where that is not the cluster. */
export function formatUnreached(cluster: string, { at, message }: Diagnostic): string {
  return at === cluster ? message : `${at}: ${message}`;
}
