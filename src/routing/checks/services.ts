import { clusterLabelsOf, resolveDomainLabel } from '../../api/cluster-labels';
import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { groupBackends, MAX_BACKENDS } from '../backend-groups';
import { namespacedNameOf, routeRulesOf } from '../route-rules';
import type { EdgeTarget } from '../select-targets';
import { servedNamesOf } from '../served-models';
import type { RoutingContext } from './context';

/** Finds services whose replicas are in fewer failure domains than declared. */
export function* checkFailureDomains({ fleet, selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    const min = service.spec.failureDomains?.min ?? 0;
    const targets = rules.flatMap((rule) => rule.targets);
    const edges = targets.filter((target): target is EdgeTarget => target.kind === 'Edge' && target.tier === 0);
    const domains = new Set(edges.map((target) => domainOf(target, fleet.settings)));
    if (edges.length === 0 || domains.size >= min) continue;
    const names = [...domains].sort().join(', ');
    yield warningAt(
      'few-failure-domains',
      { resource: service, path: ['spec', 'failureDomains', 'min'] },
      `its replicas are in ${names} alone, and it asks for ${min} failure domains`,
      'Set placement.spreadBy and placement.minDomains of its deployments',
    );
  }
}

/** Returns the domain of a target by the spread label or region. A cluster without the label is its own domain. */
function domainOf({ deployment, cluster }: EdgeTarget, settings: RoutingContext['fleet']['settings']): string {
  const { spreadBy = 'region' } = deployment.spec.placement;
  return clusterLabelsOf(cluster)[resolveDomainLabel(spreadBy, settings)] ?? cluster.metadata.name;
}

/** Finds engines that do not serve the model in requests to a service. */
export function* checkServedNames({ selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    const targets = rules.flatMap((rule) => rule.targets);
    const edges = targets.filter((target): target is EdgeTarget => target.kind === 'Edge');
    const deployments = [...new Set(edges.map(({ deployment }) => deployment))];
    const known = deployments.flatMap((deployment) => {
      const { model } = servedNamesOf(deployment);
      return model === undefined ? [] : [{ deployment, model }];
    });
    const asked = service.spec.servedModelName ?? known[0]?.model;
    const other = known.find(({ model }) => model !== asked);
    if (asked === undefined || !other) continue;
    yield warningAt(
      'other-model-name',
      {
        resource: service,
        path: service.spec.servedModelName === undefined ? ['spec', 'endpoints'] : ['spec', 'servedModelName'],
      },
      `${resourceIdOf(other.deployment)} answers to '${other.model}', and requests for '${asked}' reach it too`,
      `Tell its engine that it is called '${asked}'`,
    );
  }
}

/** The maximum number of rules of a route in Gateway API (HTTPRoute, v1). */
const MAX_RULES = 16;

/** Finds services that exceed the size of a route. */
export function* checkRouteSize({ selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, rules } of selections) {
    const made = routeRulesOf(namespacedNameOf(service), rules);
    const largest = Math.max(0, ...made.map((rule) => groupBackends(rule).length));
    if (made.length > MAX_RULES) {
      yield errorAt(
        'too-many-rules',
        { resource: service, path: ['spec', 'endpoints'] },
        `it takes ${made.length} rules to tell requests by headers and adapters apart, and a route has at most ${MAX_RULES}`,
        'Make several services of it',
      );
    }
    if (largest > MAX_BACKENDS) {
      yield errorAt(
        'too-many-members',
        { resource: service, path: ['spec', 'endpoints'] },
        `requests would be split into ${largest} different shares, by entry and by how many replicas a cluster holds, and a rule takes at most ${MAX_BACKENDS}`,
        'Give clusters equally many replicas with maxPerCluster, select fewer, or make several services of it',
      );
    }
  }
}
