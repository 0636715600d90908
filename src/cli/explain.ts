import type { InferenceClass } from '../api/inference-class';
import { qualifiedName } from '../api/resource';
import { FleetwrightError } from '../errors';
import { nearestNamed } from '../nearest';
import { explainClass, formatClassExplanation, formatClassPrices } from '../plan/class-explanation';
import { enginesOf, formatEngines } from '../plan/engines';
import { securityText } from '../plan/security-text';
import { formatExplained, formatExplanation } from '../plan/explanation-text';
import { shortList } from '../plan/format';
import { rendererAmong } from '../render/renderers';
import { type SecurityLevel, securityLevel } from '../render/security-level';
import { explain as explainWorkload } from '../scheduler/explain';
import { type CommonFlags, type Decided, decideFleet } from './context';
import { fitted } from './fitted';
import { EXIT, type ExitCode } from './exit-code';
import { readLock } from './inputs';
import { type Io, jsonDocument, styleFor } from './output';

/** What stands before the name of a class. A namespace of that name has its deployments explained all the same. */
const CLASS = 'class/';

/**
 * `fleetwright explain NAMESPACE/DEPLOYMENT`: where its replicas are, why no more are elsewhere, and how its engines
 * are run.
 * `fleetwright explain class/NAME`: the hardware of a class with what it takes from the catalogue, and its prices.
 */
export function explain(deployment: string, target: string, flags: CommonFlags, io: Io): ExitCode {
  const decided = decideFleet(target, flags, io, readLock);
  const declared = decided.fleet.classes.find(({ metadata }) => `${CLASS}${metadata.name}` === deployment);
  const workload = decided.model.workloads.find(({ id }) => id === deployment);
  if (declared && !workload) return explainHardware(declared, decided, flags, io);
  if (!workload) throw unknown(deployment, target, decided);
  const explanation = explainWorkload(decided.model, decided.schedule.placements, workload);
  const planned = decided.plan.deployments.find((plan) => plan.deployment === deployment);
  const { clusters } = explanation;
  const engines = decided.fleet.deployments
    .filter((one) => qualifiedName(one) === deployment)
    .flatMap((one) => enginesOf(one, decided.fleet));
  const security = securityOf(deployment, decided);
  if (flags.json) {
    io.out(jsonDocument('Explanation', { deployment, plan: planned, clusters, engines, security }));
  } else {
    const style = styleFor(io, flags);
    const lines = flags.quiet
      ? [formatExplained(explanation, style)]
      : [
          formatExplanation(explanation, planned, style),
          '',
          formatEngines(engines, style),
          ...(security ? [securityText(security)] : []),
        ];
    io.out(`${fitted(lines.join('\n'), io.width)}\n`);
  }
  return EXIT.ok;
}

/** What the pods of a deployment may do, if it has any. */
function securityOf(id: string, { replicas, renderers }: Decided): SecurityLevel | undefined {
  const replica = replicas.find(({ deployment }) => qualifiedName(deployment) === id);
  return replica && securityLevel(rendererAmong(renderers)(replica).render(replica));
}

function explainHardware(declared: InferenceClass, { fleet }: Decided, flags: CommonFlags, io: Io): ExitCode {
  const explanation = explainClass(fleet, declared);
  const { metadata, spec } = declared;
  if (flags.json) {
    io.out(jsonDocument('ClassExplanation', { class: metadata.name, spec, pools: explanation.pools }));
  } else if (flags.quiet) {
    io.out(
      formatClassPrices(explanation, styleFor(io, flags))
        .map((line) => `${line}\n`)
        .join(''),
    );
  } else io.out(`${formatClassExplanation(explanation, styleFor(io, flags))}\n`);
  return EXIT.ok;
}

function unknown(deployment: string, target: string, { fleet, model }: Decided): FleetwrightError {
  const classes = fleet.classes.map(({ metadata }) => `${CLASS}${metadata.name}`);
  const ids = [...model.workloads.map(({ id }) => id), ...classes];
  const near = nearestNamed(deployment, ids);
  const isClass = deployment.startsWith(CLASS);
  const form = 'Write NAMESPACE/NAME of a ModelDeployment, or class/NAME of an InferenceClass';
  const known = isClass && classes.length > 0 ? `Write one of ${shortList(classes)}` : form;
  const what = isClass
    ? `there is no InferenceClass '${deployment.slice(CLASS.length)}'`
    : `there is no deployment '${deployment}'`;
  const hint = near ? `Did you mean '${near}'?` : known;
  return new FleetwrightError([{ code: 'unknown-deployment', where: target, what, hint }]);
}
