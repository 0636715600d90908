import { isAutoscaled } from '../../api/engine-copies';
import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { LATENCY_ALERT_SECONDS } from '../../catalog/alerts';
import type { ComputedReplica } from '../../replicas/replica';
import { copyStartOf, longestStartOf } from '../../replicas/start-time';
import type { NamespacedName } from '../../routing/gateway-types';
import { listBackendsOf, type Routing } from '../../routing/routing';

/** The time that a latency may miss its SLO before someone is called, in minutes. */
const PATIENCE = LATENCY_ALERT_SECONDS / 60;

/** Finds engines whose further copies serve only after the latency of a service has missed its SLO for too long. */
export function findSlowStarts(replicas: readonly ComputedReplica[], routing: Routing): Diagnostic<ResourcePath>[] {
  const watched = new Set(
    routing.services.filter(({ objectives }) => (objectives?.latencies.length ?? 0) > 0).map(formatServiceName),
  );
  if (watched.size === 0) return [];
  return replicas.flatMap((replica) => {
    const { deployment, cluster, engines, caches } = replica;
    const scaled = engines.filter(({ engine }) => isAutoscaled(engine));
    if (scaled.length === 0) return [];
    const names = listBackendsOf(deployment, cluster.metadata.name, routing).map((one) =>
      formatServiceName(one.service),
    );
    const service = names.find((name) => watched.has(name));
    if (service === undefined) return [];
    return scaled.flatMap(({ engine, pool }) => {
      const minutes = longestStartOf(copyStartOf(engine, pool, caches));
      if (minutes <= PATIENCE) return [];
      const e = deployment.spec.template.spec.engines.indexOf(engine);
      const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, 'scaling'] };
      const what = `a further copy can take ${minutes} minutes on cluster '${cluster.metadata.name}', and the latency of ${service} may miss its SLO for more than ${PATIENCE} minutes before it serves`;
      const hint =
        'Raise copies.min, lower the thresholds of its signals, set overprovision of a pool that scales, or shorten startup.budget with a cache';
      return [warningAt('slow-start', at, what, hint)];
    });
  });
}

function formatServiceName({ namespace, name }: NamespacedName): string {
  return `ModelService ${namespace}/${name}`;
}
