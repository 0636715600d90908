import { type ResourcePath, resourceIdOf } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelService } from '../../api/model-service';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { sortUnique } from '../../base/order';
import { type LatencyObjective, measuringEnginesOf, objectivesOf } from '../service-objectives';
import { adviseOnAliases, findMissingRequirements } from '../missing-requirements';
import { nameSome } from '../placed-gateways';
import { edgeTargetsOf, externalTargetsOf, type RoutingContext, type ServiceSelection } from '../select-targets';

/** Finds objectives that cannot be measured: nothing collects metrics, or an engine does not count at the bound. */
export function* checkObjectives({
  fleet,
  placedGateways,
  selections,
}: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const selection of selections) {
    const { service } = selection;
    const { slo } = service.spec;
    if (!slo) continue;
    if (!fleet.clusters.some(({ spec }) => spec.monitoring?.rules)) {
      const message = 'it needs rules of Prometheus, and no cluster has monitoring';
      const hint = "Set 'monitoring: {}' on the clusters that Prometheus runs on, or remove slo";
      yield errorAt('unmonitored-slo', at(service, []), message, hint);
    } else if (placedGateways.length === 0 && slo.availability !== undefined) {
      const message = 'gateways count errors, and no gateway has routes for the service';
      const hint = 'Declare an InferenceGateway, or remove availability';
      yield errorAt('unmeasured-objective', at(service, ['availability']), message, hint);
    }
    const deployments = new Set(edgeTargetsOf(selection).map(({ deployment }) => deployment));
    for (const objective of objectivesOf(slo).latencies) {
      for (const deployment of deployments) yield* checkBound(service, objective, deployment);
    }
  }
}

function* checkBound(
  service: ModelService,
  { latency, quantile, bound, seconds }: LatencyObjective,
  deployment: ModelDeployment,
): Iterable<Diagnostic<ResourcePath>> {
  for (const { engine, runtime, metric } of measuringEnginesOf(deployment, latency)) {
    const place = at(service, [latency, quantile]);
    const subject = `${runtime}, which engine ${engine.name} of ${resourceIdOf(deployment)} runs,`;
    if (!metric?.buckets) {
      const message = metric ? `${subject} counts at bounds that are not known` : `${subject} has no metric for it`;
      yield errorAt('unmeasured-objective', place, message, `Remove ${latency}, or select other deployments`);
    } else if (!metric.buckets.includes(seconds)) {
      const message = `${bound} is not a bucket of ${metric.name}, so that ${subject} does not count requests within it`;
      yield errorAt(
        'no-bucket',
        place,
        message,
        `Use ${nearestOf(seconds, metric.buckets).map(formatLatency).join(' or ')}`,
      );
    }
  }
}

/** The buckets below and above a bound. */
function nearestOf(seconds: number, buckets: readonly number[]): readonly number[] {
  return [buckets.findLast((bucket) => bucket < seconds), buckets.find((bucket) => bucket > seconds)].filter(
    (bucket) => bucket !== undefined,
  );
}

/** As an SLO writes it: `500ms` for 0.5. */
function formatLatency(seconds: number): string {
  return seconds < 1 ? `${Number((seconds * 1000).toFixed(3))}ms` : `${seconds}s`;
}

/** Finds requests that count for no objective: on clusters without rules, and at external endpoints. */
export function* warnUnmeasured({ fleet, selections }: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const selection of selections) {
    const { service } = selection;
    if (!service.spec.slo || !fleet.clusters.some(({ spec }) => spec.monitoring?.rules)) continue;
    const clusters = new Set(edgeTargetsOf(selection).map(({ cluster }) => cluster));
    const unwatched = [...clusters].filter(({ spec }) => !spec.monitoring?.rules).map(resourceIdOf);
    const external = new Set(externalTargetsOf(selection).map(({ endpoint }) => resourceIdOf(endpoint)));
    const names = [...unwatched.sort(), ...[...external].sort()];
    if (names.length === 0) continue;
    const message = `latencies of requests to ${nameSome(names, 4)} do not count: nothing measures them`;
    const hint = unwatched.length > 0 ? "Set 'monitoring: {}' on these clusters" : 'Measure them at the provider';
    yield warningAt('unmeasured-requests', at(service, []), message, hint);
  }
}

/** Finds SLOs without rules, because their services have no routes. What is an error already is not repeated. */
export function* warnUnrouted(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  if (!context.fleet.clusters.some(({ spec }) => spec.monitoring?.rules)) return;
  for (const selection of context.selections) {
    const { service } = selection;
    const hint = service.spec.slo && adviseOnRoutes(selection, context);
    if (hint === undefined) continue;
    const message = 'the SLO makes no rules and no alerts, because the service has no routes';
    yield warningAt('unrouted-slo', at(service, []), message, hint);
  }
}

/** What to declare for the routes of a service. Undefined if it has some, or if errors say so. */
function adviseOnRoutes(selection: ServiceSelection, { fleet, placedGateways }: RoutingContext): string | undefined {
  if (placedGateways.length > 0) return adviseOnAliases(findMissingRequirements(selection, placedGateways));
  if (selection.service.spec.slo?.availability !== undefined) return undefined;
  const [unplaced] = fleet.gateways;
  if (unplaced) return `Set spec.clusters of ${resourceIdOf(unplaced)}`;
  const bare = edgeTargetsOf(selection).flatMap(({ cluster }) => (cluster.spec.gateway.tls ? [] : [cluster]));
  const names = sortUnique(bare.map(resourceIdOf));
  return `Declare an InferenceGateway${names.length === 0 ? '' : `, and spec.gateway.tls of ${nameSome(names, 4)}`}`;
}

function at(service: ModelService, path: readonly string[]): ResourcePath {
  return { resource: service, path: ['spec', 'slo', ...path] };
}
