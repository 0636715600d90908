import { FleetwrightError } from '../errors';
import { nearest } from '../nearest';
import { formatExplanation } from '../plan/explanation-text';
import { explain as explainWorkload } from '../scheduler/explain';
import { type CommonFlags, type Decided, decideFleet } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { type Io, jsonDocument, styleFor } from './output';

/** `fleetwright explain NAMESPACE/DEPLOYMENT`: where its replicas are, and why no more are elsewhere. */
export function explain(deployment: string, target: string, flags: CommonFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, readLock(target, flags));
  const workload = decided.model.workloads.find(({ id }) => id === deployment);
  if (!workload) throw unknown(deployment, target, decided);
  const explanation = explainWorkload(decided.model, decided.schedule.placements, workload);
  const planned = decided.plan.deployments.find((plan) => plan.deployment === deployment);
  const { clusters } = explanation;
  if (flags.json) io.out(jsonDocument('Explanation', { deployment, plan: planned, clusters }));
  else io.out(`${formatExplanation(explanation, planned, styleFor(io, flags))}\n`);
  return EXIT.ok;
}

function unknown(deployment: string, target: string, { model }: Decided): FleetwrightError {
  const ids = model.workloads.map(({ id }) => id);
  const near = ids.find((id) => id.endsWith(`/${deployment}`)) ?? nearest(deployment, ids);
  const hint = near ? `Did you mean '${near}'?` : 'Write NAMESPACE/NAME of a ModelDeployment';
  return new FleetwrightError([
    { code: 'unknown-deployment', where: target, what: `there is no deployment '${deployment}'`, hint },
  ]);
}
