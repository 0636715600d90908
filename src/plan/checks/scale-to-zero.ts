import { copyBoundsOf, scalesToZero } from '../../api/engine-copies';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Locate, locateAll, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { groupBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import { indexCaches, listMountedCaches } from '../../replicas/mounted-caches';
import type { ComputedReplica } from '../../replicas/replica';
import { longestReplicaStartOf } from '../../replicas/start-time';
import { listSelectingServices } from '../../routing/checks/empty-entries';
import { listenerOf } from '../../routing/listeners';
import { placeGateways } from '../../routing/placed-gateways';
import { listBackendsOf, type Routing } from '../../routing/routing';
import type { ScheduledReplicas } from './unmonitored-engines';

/**
 * Rejects engines that can have no copy where requests would fail instead of waiting for the first one. A deployment
 * without any placed replica is checked as if it had one where requests can wait.
 *
 * The endpoint picker cannot hold them: Envoy Gateway 1.9 answers 503 on a route without ready endpoints (`processHTTPRouteRules`
 * in internal/gatewayapi/route.go), and Envoy keeps the route that a request had at its start.
 *
 * @throws FleetwrightError with every such engine and service
 */
export function checkScaleToZero(fleet: Fleet, scheduled: ScheduledReplicas, routing: Routing, locate: Locate): void {
  const scaled = [...listPlaced(fleet, scheduled.replicas, routing), ...listUnplaced(fleet, scheduled)];
  const findings = scaled.flatMap((one) => [...findFailingRequests(one), ...findImpatient(one, fleet)]);
  const problems = locateAll(findings, locate);
  const distinct = new Map(problems.map((problem) => [`${problem.at} ${problem.message}`, problem]));
  if (distinct.size > 0) throw new FleetwrightError([...distinct.values()]);
}

/** A deployment that can have no copy: on a cluster, or without a place. */
interface ScaledDeployment {
  readonly deployment: ModelDeployment;

  /** Absent without a place. */
  readonly placed?: { readonly cluster: string; readonly replicas: number };

  /** Whether something on the cluster, or on any cluster, holds requests. */
  readonly holds: boolean;

  /** The services that send requests to it. */
  readonly services: readonly ModelService[];

  /** The most minutes until the first copy serves. */
  readonly minutes: number;
}

function listPlaced(fleet: Fleet, replicas: readonly ComputedReplica[], routing: Routing): ScaledDeployment[] {
  const scaled = replicas.filter(({ deployment, former }) => !former && scalesToZero(deployment));
  const groups = groupBy(
    scaled,
    ({ deployment, cluster }) => `${qualifiedNameOf(deployment)} ${cluster.metadata.name}`,
  );
  return [...groups.values()].flatMap((group) =>
    group.map((replica) => {
      const { deployment, cluster } = replica;
      const { name } = cluster.metadata;
      const routed = listBackendsOf(deployment, name, routing).map(({ service }) => service);
      return {
        deployment,
        placed: { cluster: name, replicas: group.length },
        holds: holdsRequests(cluster),
        services: fleet.services.filter(({ metadata }) =>
          routed.some((one) => one.namespace === metadata.namespace && one.name === metadata.name),
        ),
        minutes: longestReplicaStartOf(replica),
      };
    }),
  );
}

/** The deployments of which no replica has a place. Those that have errors already are left out. */
function listUnplaced(fleet: Fleet, { replicas, shortfalls, held }: ScheduledReplicas): ScaledDeployment[] {
  const placed = new Set(replicas.map(({ deployment }) => qualifiedNameOf(deployment)));
  const short = new Set(shortfalls.map(({ deployment }) => deployment));
  const cluster = fleet.clusters.find(holdsRequests);
  return fleet.deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    if (!scalesToZero(deployment) || !short.has(id) || placed.has(id) || held.requested.has(id)) return [];
    const caches = cluster ? listMountedCaches(deployment, cluster, indexCaches(fleet)) : [];
    const engines = deployment.spec.template.spec.engines.map((engine) => ({ engine, pool: {} }));
    const services = listSelectingServices(deployment, fleet);
    return [
      { deployment, holds: cluster !== undefined, services, minutes: longestReplicaStartOf({ engines, caches }) },
    ];
  });
}

function holdsRequests({ spec }: InferenceCluster): boolean {
  return spec.servingStack.kedaHttpAddOn !== undefined;
}

function* findFailingRequests({
  deployment,
  placed,
  holds,
  services,
}: ScaledDeployment): Iterable<Diagnostic<ResourcePath>> {
  const at = { resource: deployment, path: pathOf(deployment) };
  if (holds && services.length === 0) {
    const target = placed ? `the replica on cluster '${placed.cluster}'` : 'it';
    const what = `no ModelService routes to ${target}, and only requests through gateways wait for the first copy`;
    yield errorAt('scale-to-zero', at, what, 'Route to it with a ModelService, or set min to 1');
  }
  if (!placed || placed.replicas < 2) return;
  const what = `the plan has ${placed.replicas} replicas on cluster '${placed.cluster}', and each would start copies for the requests of all`;
  yield errorAt('scale-to-zero', at, what, 'Use one replica with more copies there, or set min to 1');
}

function pathOf({ spec }: ModelDeployment): readonly (string | number)[] {
  const e = spec.template.spec.engines.findIndex((engine) => copyBoundsOf(engine).min === 0);
  return ['spec', 'template', 'spec', 'engines', e, 'copies', 'min'];
}

/** Finds services that end or misdirect requests which wait for the first copy. */
function* findImpatient(
  { deployment, services, minutes }: ScaledDeployment,
  fleet: Fleet,
): Iterable<Diagnostic<ResourcePath>> {
  const name = qualifiedNameOf(deployment);
  const { placedGateways } = placeGateways(fleet);
  for (const service of services) {
    const listeners = placedGateways.map((gateway) => listenerOf(service, gateway));
    for (const field of ['request', 'idle'] as const) {
      const seconds = Math.min(...listeners.map(({ timeouts }) => timeouts[field] ?? Infinity));
      if (seconds >= minutes * 60) continue;
      const at = { resource: service, path: ['spec', 'timeouts', field] };
      const what = `a request to '${name}' can wait ${minutes} minutes for the first copy, and the gateway ends it after ${seconds % 60 === 0 ? seconds / 60 : `${seconds} seconds`}`;
      yield errorAt('scale-to-zero', at, what, `Set it to ${minutes}m or more, here or at the gateway`);
    }
    yield* findPicker(service, name);
  }
}

function* findPicker(service: ModelService, name: string): Iterable<Diagnostic<ResourcePath>> {
  const { picker, sessionAffinity } = service.spec;
  const field = picker && picker.kind !== 'LeastRequest' ? 'picker' : sessionAffinity && 'sessionAffinity';
  if (!field) return;
  const at = { resource: service, path: ['spec', field] };
  const what = `the HTTP add-on of KEDA, which holds requests to '${name}', chooses the copy for each`;
  yield errorAt('scale-to-zero', at, what, 'Remove it, or set copies.min of the engine to 1');
}
