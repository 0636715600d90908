import { copyBoundsOf, scalesToZero } from '../../api/engine-copies';
import { type Locate, locateOne, type ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { groupBy } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';
import type { ComputedReplica } from '../../replicas/replica';
import { longestReplicaStartOf } from '../../replicas/start-time';
import { listBackendsOf, type Routing } from '../../routing/routing';

/**
 * Rejects engines that can have no copy where requests would fail instead of waiting for the first one.
 *
 * The endpoint picker cannot hold them: Envoy Gateway 1.9 answers 503 on a route without ready endpoints (`processHTTPRouteRules`
 * in internal/gatewayapi/route.go), and Envoy keeps the route that a request had at its start.
 *
 * @throws FleetwrightError with every such engine and service
 */
export function checkScaleToZero(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  routing: Routing,
  locate: Locate,
): void {
  const problems = new Map<string, Diagnostic>();
  const scaled = replicas.filter(({ deployment, former }) => !former && scalesToZero(deployment));
  const groups = groupBy(scaled, placeOf);
  for (const replica of scaled) {
    const here = groups.get(placeOf(replica))?.length ?? 0;
    for (const finding of [...findFailingRequests(replica, here, routing), ...findImpatient(replica, fleet, routing)]) {
      const problem = locateOne(finding, locate);
      problems.set(`${problem.at} ${problem.message}`, problem);
    }
  }
  if (problems.size > 0) throw new FleetwrightError([...problems.values()]);
}

function placeOf({ deployment, cluster }: ComputedReplica): string {
  return `${qualifiedNameOf(deployment)} ${cluster.metadata.name}`;
}

function* findFailingRequests(
  { deployment, cluster }: ComputedReplica,
  here: number,
  routing: Routing,
): Iterable<Diagnostic<ResourcePath>> {
  const { name } = cluster.metadata;
  const at = { resource: deployment, path: pathOf(deployment) };
  const holds = cluster.spec.servingStack.kedaHttpAddOn !== undefined;
  if (holds && listBackendsOf(deployment, name, routing).length === 0) {
    const what = `no ModelService routes to the replica on cluster '${name}', and only requests through gateways wait for the first copy`;
    yield errorAt('unrouted-engine', at, what, 'Route to it with a ModelService, or set min to 1');
  }
  if (here < 2) return;
  const what = `the plan has ${here} replicas on cluster '${name}', and each would start copies for the requests of all`;
  yield errorAt('scale-to-zero', at, what, 'Use one replica with more copies there, or set min to 1');
}

function pathOf({ spec }: ModelDeployment): readonly (string | number)[] {
  const e = spec.template.spec.engines.findIndex((engine) => copyBoundsOf(engine).min === 0);
  return ['spec', 'template', 'spec', 'engines', e, 'copies', 'min'];
}

/** Finds services that end or misdirect requests which wait for the first copy. */
function* findImpatient(replica: ComputedReplica, fleet: Fleet, routing: Routing): Iterable<Diagnostic<ResourcePath>> {
  const { deployment, cluster } = replica;
  const minutes = longestReplicaStartOf(replica);
  const name = qualifiedNameOf(deployment);
  for (const backend of listBackendsOf(deployment, cluster.metadata.name, routing)) {
    const isService = (one: { readonly namespace?: string | undefined; readonly name: string }): boolean =>
      one.namespace === backend.service.namespace && one.name === backend.service.name;
    const service = fleet.services.find(({ metadata }) => isService(metadata));
    const listeners = routing.services.filter(isService).flatMap(({ gateways }) => gateways);
    if (!service) continue;
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
