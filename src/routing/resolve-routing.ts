import type { ResourcePath } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { readyPathOf, servicePathOf } from './addresses';
import { findGroupedClusters } from './backend-groups';
import { toEdgeBackend, toEgressBackend } from './backends';
import { buildEdge, buildEgress, buildFront, collectCallers } from './build-gateways';
import { findRoutingErrors, findRoutingWarnings, listRoutingNotes } from './checks/routing-checks';
import type { Front } from './gateways';
import { combineHealthChecks, engineHealthOf } from './health-checks';
import { listenerOf } from './listeners';
import { findMissingRequirements, toMissingErrors, toMissingNotes } from './missing-requirements';
import { type PlacedGateway, placeGateways } from './placed-gateways';
import { namespacedNameOf, routeRulesOf, webSocketRulesOf } from './route-rules';
import type { RoutedService, Routing } from './routing';
import {
  type EdgeTarget,
  type ExternalTarget,
  type RouteTarget,
  selectTargets,
  type ServiceSelection,
} from './select-targets';
import { listSelectables, type RoutedReplica } from './selectables';
import { servedModelsOf } from './served-models';

/** How requests reach replicas, and what is to be said of it. */
export interface ResolvedRouting {
  /** Without what `problems` are about. */
  readonly routing: Routing;

  /** What has to be mended first. */
  readonly problems: readonly Diagnostic<ResourcePath>[];

  /** What may work only by luck. */
  readonly warnings: readonly Diagnostic<ResourcePath>[];
  readonly notes: readonly string[];
}

/**
 * Decides how the requests of every service reach its replicas. The order of what is given does not matter.
 *
 * @param replicas all that are placed; leaving ones too, because they serve until they are settled
 */
export function resolveRouting(fleet: Fleet, replicas: readonly RoutedReplica[]): ResolvedRouting {
  const { placedGateways, ...placed } = placeGateways(fleet);
  // Nobody asks for them otherwise, and there may be very many.
  const selectables = fleet.services.length > 0 ? listSelectables(fleet, replicas) : [];
  const selections = fleet.services.map((service) => selectTargets(service, selectables, fleet.grants));
  const lacks =
    placedGateways.length === 0
      ? []
      : selections.flatMap((one) => findMissingRequirements(one, placedGateways));
  const unreachable = new Set(lacks.map(({ service }) => service));
  const routed =
    placedGateways.length === 0 ? [] : selections.filter(({ service }) => !unreachable.has(service));
  const context = { fleet, placedGateways, selectables, selections };
  return {
    routing: routingOf(routed.filter(hasTargets), placedGateways),
    problems: [...placed.problems, ...toMissingErrors(lacks), ...findRoutingErrors(context)],
    warnings: findRoutingWarnings(context),
    notes: [...placed.notes, ...toMissingNotes(lacks), ...listRoutingNotes(context)],
  };
}

function hasTargets({ rules }: ServiceSelection): boolean {
  return rules.some(({ targets }) => targets.length > 0);
}

function routingOf(
  selections: readonly ServiceSelection[],
  placedGateways: readonly PlacedGateway[],
): Routing {
  const services = selections.map((selection) => serviceOf(selection, placedGateways));
  if (services.length === 0) return { fronts: [], edges: [], egresses: [], services: [] };
  const idleCheck = Math.min(...services.map(({ health }) => health.interval));
  const fronts = placedGateways.map((standing) => buildFront(standing, idleCheck));
  return {
    fronts,
    edges: edgesOf(selections, services, fronts),
    egresses: egressesOf(selections, placedGateways, fronts),
    services,
  };
}

function serviceOf(
  { service, rules }: ServiceSelection,
  placedGateways: readonly PlacedGateway[],
): RoutedService {
  const named = namespacedNameOf(service);
  const targets = rules.flatMap((rule) => rule.targets);
  const checks = targets.filter(isEdge).flatMap(({ deployment }) => engineHealthOf(deployment).health ?? []);
  const { sessionAffinity } = service.spec;
  const webSockets = service.spec.webSocket ? webSocketRulesOf(named, rules) : [];
  return {
    ...named,
    path: servicePathOf(named),
    readyPath: readyPathOf(named),
    models: servedModelsOf(service, targets),
    doors: placedGateways.map((standing) => listenerOf(service, standing)),
    rules: routeRulesOf(named, rules),
    ...(webSockets.length > 0 && { webSockets }),
    health: combineHealthChecks(checks),
    ...(sessionAffinity && { affinity: sessionAffinity.header.toLowerCase() }),
  };
}

function edgesOf(
  selections: readonly ServiceSelection[],
  services: readonly RoutedService[],
  fronts: readonly Front[],
): Routing['edges'] {
  const callers = collectCallers(fronts);
  const bundled = findGroupedClusters(
    services.flatMap(({ rules, webSockets = [] }) => [...rules, ...webSockets]),
  );
  const asked = selections.flatMap(({ service, rules }, i) =>
    targetsOf(rules)
      .filter(isEdge)
      .map((target) => ({ service, target, routed: services[i] })),
  );
  return [...groupBy(asked, ({ target }) => target.cluster)]
    .map(([cluster, here]) => {
      const backends = here.map(({ service, target, routed }) => {
        return toEdgeBackend(service, target, edgeTimeoutsOf(routed));
      });
      return buildEdge(cluster, { backends, bundled: bundled.has(cluster.metadata.name) }, callers);
    })
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
}

/** Fronts end requests that last too long; an edge waits as long as the most patient of them. */
function edgeTimeoutsOf(routed: RoutedService | undefined): {
  readonly idle: number;
  readonly connect: number;
} {
  const times = (routed?.doors ?? []).map(({ timeouts }) => timeouts);
  return {
    idle: Math.max(...times.map(({ idle }) => idle)),
    connect: Math.max(...times.map(({ connect }) => connect)),
  };
}

function egressesOf(
  selections: readonly ServiceSelection[],
  placedGateways: readonly PlacedGateway[],
  fronts: readonly Front[],
): Routing['egresses'] {
  const backends = selections.flatMap(({ service, rules }) =>
    targetsOf(rules)
      .filter(isExternal)
      .map((target) => toEgressBackend(service, target)),
  );
  if (backends.length === 0) return [];
  const clusters = new Set(placedGateways.map(({ cluster }) => cluster));
  return [...clusters].map((cluster) => {
    const here = fronts.filter((front) => front.cluster === cluster.metadata.name);
    return buildEgress(cluster, backends, collectCallers(here));
  });
}

function targetsOf(rules: ServiceSelection['rules']): RouteTarget[] {
  return rules.flatMap(({ targets }) => targets);
}

function isEdge(target: RouteTarget): target is EdgeTarget {
  return target.kind === 'Edge';
}

function isExternal(target: RouteTarget): target is ExternalTarget {
  return target.kind === 'External';
}
