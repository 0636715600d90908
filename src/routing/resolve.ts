import type { Fault } from '../api/checks/fault';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import { clustersInBundles } from './bundles';
import { doorOf } from './doors';
import { edgeBackend } from './edge-backends';
import { egressBackend } from './egress-backends';
import { askedOf, memberCheck } from './health';
import { lackFaults, lackNotes, lacksOf } from './lacks';
import { routingErrors, routingNotes, routingWarnings } from './lints';
import { modelsOfService } from './models';
import { pathOf, readyPathOf } from './paths';
import type { Front } from './places';
import type { RoutedService, Routing } from './routing';
import { namedOf, rulesOf, webSocketRules } from './rules';
import { type EdgeTarget, type ExternalTarget, type Selection, selectTargets, type Target } from './select';
import { callersOf, edgeOf, egressOf, frontOf } from './sites';
import { type Standing, standingsOf } from './standing';
import { type RoutedReplica, unitsOf } from './units';

/** How requests reach replicas, and what is to be said of it. */
export interface Resolved {
  /** Without what `problems` are about. */
  readonly routing: Routing;

  /** What has to be mended first. */
  readonly problems: readonly Fault[];

  /** What may work only by luck. */
  readonly warnings: readonly Fault[];
  readonly notes: readonly string[];
}

/**
 * Decides how the requests of every service reach its replicas. The order of what is given does not matter.
 *
 * @param replicas all that are placed; leaving ones too, because they serve until they are settled
 */
export function resolveRouting(fleet: Fleet, replicas: readonly RoutedReplica[]): Resolved {
  const { standings, ...placed } = standingsOf(fleet);
  // Nobody asks for them otherwise, and there may be very many.
  const units = fleet.services.length > 0 ? unitsOf(fleet, replicas) : [];
  const selections = fleet.services.map((service) => selectTargets(service, units, fleet.grants));
  const lacks = standings.length === 0 ? [] : selections.flatMap((one) => lacksOf(one, standings));
  const unreachable = new Set(lacks.map(({ service }) => service));
  const routed = standings.length === 0 ? [] : selections.filter(({ service }) => !unreachable.has(service));
  const scene = { fleet, standings, units, selections };
  return {
    routing: routingOf(routed.filter(sendsSomewhere), standings),
    problems: [...placed.problems, ...lackFaults(lacks), ...routingErrors(scene)],
    warnings: routingWarnings(scene),
    notes: [...placed.notes, ...lackNotes(lacks), ...routingNotes(scene)],
  };
}

function sendsSomewhere({ rules }: Selection): boolean {
  return rules.some(({ targets }) => targets.length > 0);
}

function routingOf(selections: readonly Selection[], standings: readonly Standing[]): Routing {
  const services = selections.map((selection) => serviceOf(selection, standings));
  if (services.length === 0) return { fronts: [], edges: [], egresses: [], services: [] };
  const idleCheck = Math.min(...services.map(({ health }) => health.interval));
  const fronts = standings.map((standing) => frontOf(standing, idleCheck));
  return {
    fronts,
    edges: edgesOf(selections, services, fronts),
    egresses: egressesOf(selections, standings, fronts),
    services,
  };
}

function serviceOf({ service, rules }: Selection, standings: readonly Standing[]): RoutedService {
  const named = namedOf(service);
  const targets = rules.flatMap((rule) => rule.targets);
  const checks = targets.filter(isEdge).flatMap(({ deployment }) => askedOf(deployment).health ?? []);
  const { sessionAffinity } = service.spec;
  const webSockets = service.spec.webSocket ? webSocketRules(named, rules) : [];
  return {
    ...named,
    path: pathOf(named),
    readyPath: readyPathOf(named),
    models: modelsOfService(service, targets),
    doors: standings.map((standing) => doorOf(service, standing)),
    rules: rulesOf(named, rules),
    ...(webSockets.length > 0 && { webSockets }),
    health: memberCheck(checks),
    ...(sessionAffinity && { affinity: sessionAffinity.header.toLowerCase() }),
  };
}

function edgesOf(
  selections: readonly Selection[],
  services: readonly RoutedService[],
  fronts: readonly Front[],
): Routing['edges'] {
  const callers = callersOf(fronts);
  const bundled = clustersInBundles(
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
        return edgeBackend(service, target, edgeTimes(routed));
      });
      return edgeOf(cluster, { backends, bundled: bundled.has(cluster.metadata.name) }, callers);
    })
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
}

/** Fronts end requests that last too long; an edge waits as long as the most patient of them. */
function edgeTimes(routed: RoutedService | undefined): { readonly idle: number; readonly connect: number } {
  const times = (routed?.doors ?? []).map(({ timeouts }) => timeouts);
  return {
    idle: Math.max(...times.map(({ idle }) => idle)),
    connect: Math.max(...times.map(({ connect }) => connect)),
  };
}

function egressesOf(
  selections: readonly Selection[],
  standings: readonly Standing[],
  fronts: readonly Front[],
): Routing['egresses'] {
  const backends = selections.flatMap(({ service, rules }) =>
    targetsOf(rules)
      .filter(isExternal)
      .map((target) => egressBackend(service, target)),
  );
  if (backends.length === 0) return [];
  const clusters = new Set(standings.map(({ cluster }) => cluster));
  return [...clusters].map((cluster) => {
    const here = fronts.filter((front) => front.cluster === cluster.metadata.name);
    return egressOf(cluster, backends, callersOf(here));
  });
}

function targetsOf(rules: Selection['rules']): Target[] {
  return rules.flatMap(({ targets }) => targets);
}

function isEdge(target: Target): target is EdgeTarget {
  return target.kind === 'Edge';
}

function isExternal(target: Target): target is ExternalTarget {
  return target.kind === 'External';
}
