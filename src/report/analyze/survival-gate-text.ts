import type { Survival, WorstDeployment } from '../../analyze/survive/survival';
import type { RefusedService, RequiredReplicas, SurvivalRefusals } from '../../analyze/survive/survive';
import type { Resource } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import { indexDeploymentsById } from '../../fleet/fleet';
import type { LocatedFleet } from '../plan/plan-annotations';
import { formatServing } from './survival-text';

/** Formats the result of the gate as a line: how many deployments and services keep too few replicas at once. */
export function formatSurvivalGate(
  { deployments, services }: Survival,
  { refused, refusedServices }: SurvivalRefusals,
  required: RequiredReplicas,
): string {
  if (required === 'minAvailable') return formatMinimumGate(deployments, refused.length);
  const reachable = services.filter(({ fewest }) => fewest).length;
  const all = [
    { count: deployments.length, few: refused.length, noun: 'deployment' },
    ...(reachable > 0 ? [{ count: reachable, few: refusedServices.length, noun: 'service' }] : []),
  ];
  const replicas = `${pluralize(required, 'replica')} right after a loss`;
  if (all.every(({ few }) => few === 0)) {
    const which = all.map(({ count, noun }) => pluralize(count, noun)).join(' and ');
    return `Gate: passed; at least ${replicas} for each of ${which}.`;
  }
  const which = all.map(({ count, few, noun }) => `${few} of ${pluralize(count, noun)}`).join(' and ');
  return `Gate: refused; fewer than ${replicas} for ${which}.`;
}

function formatMinimumGate(deployments: Survival['deployments'], refused: number): string {
  const declaring = pluralize(
    deployments.filter(({ minAvailable }) => minAvailable !== undefined).length,
    'deployment',
  );
  return refused === 0
    ? `Gate: passed; each of ${declaring} keeps its minAvailable right after a loss.`
    : `Gate: refused; fewer replicas than minAvailable right after a loss for ${refused} of ${declaring}.`;
}

export function formatRefused({ refused, refusedServices }: SurvivalRefusals, required: RequiredReplicas): string[] {
  return [
    ...refused.map((one) => formatRefusedDeployment(one, required)),
    ...refusedServices.map((one) => formatRefusedService(one, required)),
  ];
}

function formatRefusedDeployment(one: WorstDeployment, required: RequiredReplicas): string {
  const { deployment, atOnce, before, when, minAvailable = 0 } = one;
  const least = required === 'minAvailable' ? minAvailable : required;
  return `${deployment}: ${formatServing({ before, atOnce })} when ${when ?? 'nothing'} is lost, and ${least} must serve`;
}

function formatRefusedService(
  { service, gateways, replicas, when }: RefusedService,
  required: RequiredReplicas,
): string {
  const lost = `when ${when ?? 'nothing'} is lost`;
  return gateways === 0
    ? `service ${service}: no gateway is left ${lost}`
    : `service ${service}: ${pluralize(replicas, 'replica')} left behind it ${lost}, and it needs ${required}`;
}

const MORE_REPLICAS = 'Add replicas on other clusters, or require fewer';

/** Returns an error for each deployment and service that keeps too few replicas at once, at its declaration. */
export function toSurvivalProblems(
  { refused, refusedServices }: SurvivalRefusals,
  required: RequiredReplicas,
  { fleet, locate }: LocatedFleet,
): Diagnostic[] {
  const services = new Map(fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const problemAt = (declared: Resource | undefined, what: string): Diagnostic[] =>
    declared ? [errorAt('too-few-left', locate(declared, []), what, MORE_REPLICAS)] : [];
  const deployments = indexDeploymentsById(fleet.deployments);
  return [
    ...refused.flatMap((one) => problemAt(deployments.get(one.deployment), formatRefusedDeployment(one, required))),
    ...refusedServices.flatMap((one) => problemAt(services.get(one.service), formatRefusedService(one, required))),
  ];
}
