import type { Engine } from '../../api/engine';
import { copyBoundsOf } from '../../api/engine-copies';
import { type Locate, locateOne, type ResourcePath } from '../../api/kinds';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import type { ComputedReplica } from '../../replicas/replica';

/**
 * Rejects engines that scale by their load on clusters that do not measure it.
 *
 * @throws FleetwrightError with every such engine and cluster
 */
export function refuseUnmonitoredEngines(replicas: readonly ComputedReplica[], locate: Locate): void {
  const problems = new Map<string, Diagnostic>();
  for (const replica of replicas) {
    if (!replica.engines.some(({ engine }) => engine.scaling)) continue;
    for (const finding of findUnmonitored(replica)) {
      const problem = locateOne(finding, locate);
      problems.set(`${problem.at} ${problem.message}`, problem);
    }
  }
  if (problems.size > 0) throw new FleetwrightError([...problems.values()]);
}

function* findUnmonitored({ deployment, cluster, engines }: ComputedReplica): Iterable<Diagnostic<ResourcePath>> {
  const { monitoring } = cluster.spec;
  const { name } = cluster.metadata;
  for (const { engine } of engines) {
    const { scaling } = engine;
    if (!scaling) continue;
    // Proxies count these.
    const measured = scaling.on.filter(({ running }) => running === undefined || copyBoundsOf(engine).min > 0);
    if (measured.length === 0) continue;
    const e = deployment.spec.template.spec.engines.indexOf(engine);
    const at = { resource: deployment, path: ['spec', 'template', 'spec', 'engines', e, 'scaling'] };
    if (!monitoring) {
      const { what, hint } = describeUnmeasured(engine, name);
      yield errorAt('no-monitoring', at, what, hint);
    } else if (!monitoring.rules && measured.some(({ prometheus }) => !prometheus)) {
      const what = `a replica is on cluster '${name}', whose 'monitoring.rules: false' leaves out the series that it scales by`;
      yield errorAt('no-monitoring', at, what, "Remove that line, or scale by queries of your own: 'prometheus'");
    }
  }
}

/** Proxies count the requests that start the first copy, and nothing else. */
function describeUnmeasured(engine: Engine, cluster: string): { readonly what: string; readonly hint: string } {
  const { min } = copyBoundsOf(engine);
  const isCounted = engine.scaling?.on.every(({ running }) => running !== undefined) ?? false;
  if (min === 0 || !isCounted) {
    const hint = 'Set spec.monitoring of the cluster, or exclude it with clusterSelector';
    return { what: `scaling needs load metrics of Prometheus, and cluster '${cluster}' declares none`, hint };
  }
  return {
    what: `copies.min ${min} needs load metrics of Prometheus, unlike min 0, and cluster '${cluster}' declares none`,
    hint: `Set spec.monitoring of the cluster, set copies.min: 0, or exclude the cluster with clusterSelector`,
  };
}
