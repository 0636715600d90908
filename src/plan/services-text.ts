import { percentText, totalWeight } from '../routing/shares';
import type { Member, RoutedService, Rule } from '../routing/routing';
import { plural } from './format';
import { PLAIN, type Style } from './style';

/** A plan names at most this many members of a rule. */
const MOST_NAMED = 8;

/** The services of a plan for a person: where each is found, and who gets which share of its requests. */
export function formatServices(services: readonly RoutedService[], style: Style = PLAIN): string[] {
  const lines = services.flatMap((service) => [
    `  ${style.strong(`${service.namespace}/${service.name}`)}   ${[...new Set(service.doors.map(({ url }) => url))].join(', ')}`,
    ...service.rules.flatMap((rule) => formatRule(rule)),
  ]);
  return services.length > 0 ? [style.strong('Services:'), ...lines] : [];
}

function formatRule(rule: Rule): string[] {
  const conditions = [
    ...rule.headers.map(({ name, value }) => `${name}: ${value}`),
    ...(rule.model === undefined ? [] : [`model ${rule.model}`]),
  ];
  const indent = conditions.length > 0 ? '      ' : '    ';
  const more = rule.members.length - MOST_NAMED;
  return [
    ...(conditions.length > 0 ? [`    with ${conditions.join(', ')}`] : []),
    ...rule.members.slice(0, MOST_NAMED).map((member) => indent + formatMember(member, rule)),
    ...(more > 0 ? [`${indent}${more} more`] : []),
  ];
}

function formatMember(member: Member, { members }: Rule): string {
  const { weight, tier, target, cluster, replicas } = member;
  const share = percentText(weight, totalWeight(members, tier));
  const name = `${target.namespace}/${target.name}`;
  const where =
    cluster === undefined
      ? `endpoint ${name}`
      : `${name} on ${cluster} (${plural(replicas.length, 'replica')})`;
  return `${share}   ${where}${tier === 1 ? ', once nothing above serves' : ''}`;
}
