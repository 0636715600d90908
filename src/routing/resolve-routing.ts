import { type Locate, locateAll, resourceIdOf, type ResourcePath } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { readyPathOf, servicePathOf } from './addresses';
import { findGroupedClusters } from './backend-groups';
import { toEdgeBackend, toEgressBackend } from './backends';
import { buildEdge, buildEgress, buildFront, collectCallers } from './build-gateways';
import { findRoutingErrors, findRoutingWarnings, listRoutingNotes } from './checks/routing-checks';
import type { Front } from './gateway-types';
import { combineHealthChecks, engineHealthOf } from './health-checks';
import { listenerOf } from './listeners';
import { describeMissingRoutes, findMissingRoutes, type MissingRoutes } from './missing-routes';
import { findMissingRequirements, toMissingErrors, toMissingNotes } from './missing-requirements';
import { objectivesOf } from './service-objectives';
import { type PlacedGateway, placeGateways } from './placed-gateways';
import { completeRouteNames, findRouteAdditions, type RouteAdditions, type RouteNames } from './route-additions';
import { namespacedNameOf, routeRulesOf, webSocketRulesOf } from './route-rules';
import { NO_ROUTING, type RoutedService, type Routing, type ServiceListener } from './routing';
import { edgeTargetsOf, externalTargetsOf, selectTargets, type ServiceSelection } from './select-targets';
import { listSelectables, type RoutedReplica } from './selectable-items';
import { servedModelsOf } from './served-models';
import type { Timeouts } from './traffic-types';

export interface ResolvedRouting {
  /** Excludes services that `problems` are about. */
  readonly routing: Routing;
  readonly problems: readonly Diagnostic<ResourcePath>[];
  readonly warnings: readonly Diagnostic<ResourcePath>[];
  readonly notes: readonly string[];

  /** Services without routes, and the lines that give them routes. Absent if there are none. */
  readonly missing?: MissingRoutes;
}

/** What has errors: it stays as it is, and is not routed. */
export interface FaultyRoutes {
  /** Replicas of deployments with errors. */
  readonly frozen: readonly RoutedReplica[];

  /** Whether services are declared that are not in the fleet, because they have errors. */
  readonly lacksServices: boolean;
}

const NO_FAULTS: FaultyRoutes = { frozen: [], lacksServices: false };

/**
 * Determines how requests of every service reach its replicas. The result does not depend on the order of the
 * arguments.
 *
 * @param replicas all placed replicas. Replicas that move away are included, because they serve until they are finalized
 */
export function resolveRouting(
  fleet: Fleet,
  replicas: readonly RoutedReplica[],
  { frozen, lacksServices }: FaultyRoutes = NO_FAULTS,
): ResolvedRouting {
  const { placedGateways, ...placed } = placeGateways(fleet);
  // Skipped without services, because a fleet can have many replicas.
  const selectables = fleet.services.length > 0 ? listSelectables(fleet, replicas) : [];
  const selections = fleet.services.map((service) => selectTargets(service, selectables, fleet.grants));
  const requested = placedGateways.length === 0 ? [] : selections;
  const missing = requested.flatMap((selection) => findMissingRequirements(selection, placedGateways));
  const unreachable = new Set(missing.map(({ service }) => service));
  const routed = requested.filter(({ service, rules }) => {
    return !unreachable.has(service) && rules.some(({ targets }) => targets.length > 0);
  });
  const faulty = { frozen: listSelectables(fleet, frozen), lacksServices };
  const context = { fleet, placedGateways, replicas, selectables, selections, ...faulty };
  const missingRoutes = findMissingRoutes(context);
  return {
    ...(missingRoutes && { missing: missingRoutes }),
    routing: routingOf(routed, placedGateways, fleet),
    problems: [...placed.problems, ...toMissingErrors(missing, placedGateways), ...findRoutingErrors(context)],
    warnings: [...describeMissingRoutes(missingRoutes, fleet), ...findRoutingWarnings(context)],
    notes: [
      ...(missingRoutes ? [] : placed.notes),
      ...toMissingNotes(
        missing.filter(({ service }) => !missingRoutes?.services.includes(resourceIdOf(service))),
        placedGateways,
      ),
      ...listRoutingNotes(context, missingRoutes !== undefined),
    ],
  };
}

/** Finds the fields that services lack to get routes, as `resolveRouting` does, with the given names. */
export function findAdditions(
  fleet: Fleet,
  replicas: readonly RoutedReplica[],
  names: RouteNames,
): RouteAdditions | undefined {
  const { placedGateways } = placeGateways(fleet);
  const selectables = listSelectables(fleet, replicas);
  const selections = fleet.services.map((service) => selectTargets(service, selectables, fleet.grants));
  const context = { fleet, placedGateways, replicas, selectables, selections, frozen: [], lacksServices: false };
  return findRouteAdditions(context, completeRouteNames(names, fleet));
}

function routingOf(
  selections: readonly ServiceSelection[],
  placedGateways: readonly PlacedGateway[],
  { settings, caches }: Fleet,
): Routing {
  const services = selections.map((selection) => serviceOf(selection, placedGateways, caches));
  if (services.length === 0) return NO_ROUTING;
  const idleCheck = Math.min(...services.map(({ health }) => health.interval));
  const fronts = placedGateways.map((placed) => buildFront(placed, idleCheck));
  return {
    fronts,
    edges: edgesOf({ selections, settings }, services, fronts),
    egresses: egressesOf(selections, placedGateways, fronts),
    services,
  };
}

function serviceOf(
  selection: ServiceSelection,
  placedGateways: readonly PlacedGateway[],
  caches: Fleet['caches'],
): RoutedService {
  const { service, rules } = selection;
  const name = namespacedNameOf(service);
  const targets = rules.flatMap((rule) => rule.targets);
  const checks = edgeTargetsOf(selection).flatMap(({ deployment }) => engineHealthOf(deployment).health ?? []);
  const { sessionAffinity } = service.spec;
  const webSockets = service.spec.webSocket ? webSocketRulesOf(name, rules) : [];
  return {
    ...name,
    path: servicePathOf(name),
    readyPath: readyPathOf(name),
    models: servedModelsOf(service, targets, caches),
    gateways: placedGateways.map((placed) => listenerOf(service, placed)),
    rules: routeRulesOf(name, rules),
    ...(webSockets.length > 0 && { webSockets }),
    health: combineHealthChecks(checks),
    ...(service.spec.slo && { objectives: objectivesOf(service.spec.slo) }),
    ...(sessionAffinity && { affinity: sessionAffinity.header.toLowerCase() }),
  };
}

function edgesOf(
  { selections, settings }: { selections: readonly ServiceSelection[]; settings: Fleet['settings'] },
  services: readonly RoutedService[],
  fronts: readonly Front[],
): Routing['edges'] {
  const callers = collectCallers(fronts);
  const grouped = findGroupedClusters(services.flatMap(({ rules, webSockets = [] }) => [...rules, ...webSockets]));
  const routed = selections.flatMap((selection, i) => {
    const timeouts = edgeTimeoutsOf(services[i]?.gateways ?? []);
    return edgeTargetsOf(selection).map((target) => ({
      cluster: target.cluster,
      backend: toEdgeBackend(selection.service, target, timeouts, settings),
    }));
  });
  const edges = [...groupBy(routed, ({ cluster }) => cluster)].map(([cluster, local]) => {
    const backends = local.map(({ backend }) => backend);
    return buildEdge(cluster, backends, callers, grouped.has(cluster.metadata.name));
  });
  return sortedBy(edges, ({ cluster }) => cluster);
}

/** Fronts end requests that take too long, so an edge uses the longest timeouts of all fronts. */
function edgeTimeoutsOf(listeners: readonly ServiceListener[]): Timeouts {
  return {
    idle: Math.max(...listeners.map(({ timeouts }) => timeouts.idle)),
    connect: Math.max(...listeners.map(({ timeouts }) => timeouts.connect)),
  };
}

function egressesOf(
  selections: readonly ServiceSelection[],
  placedGateways: readonly PlacedGateway[],
  fronts: readonly Front[],
): Routing['egresses'] {
  const backends = selections.flatMap((selection) =>
    externalTargetsOf(selection).map((target) => toEgressBackend(selection.service, target)),
  );
  if (backends.length === 0) return [];
  const clusters = new Set(placedGateways.map(({ cluster }) => cluster));
  return [...clusters].map((cluster) => {
    const local = fronts.filter((front) => front.cluster === cluster.metadata.name);
    return buildEgress(cluster, backends, collectCallers(local));
  });
}

/** @throws FleetwrightError with everything that is wrong with routes */
export function resolveRoutingOrThrow(
  fleet: Fleet,
  replicas: readonly RoutedReplica[],
  locate: Locate,
  faulty: FaultyRoutes = NO_FAULTS,
): ResolvedRouting {
  const resolved = resolveRouting(fleet, replicas, faulty);
  const problems = locateAll(resolved.problems, locate);
  if (problems.length > 0) throw new FleetwrightError(problems);
  return resolved;
}
