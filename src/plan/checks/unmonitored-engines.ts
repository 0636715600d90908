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
      const what = `its scaling follows the load of engines, which cluster '${name}' does not measure`;
      // Down to no copy, proxies count the requests.
      const isCounted = measured.every(({ running }) => running !== undefined);
      const exclude = 'exclude it with clusterSelector';
      const others = isCounted ? `${exclude}, or keep 'copies.min: 0'` : `or ${exclude}`;
      const hint = `Set spec.monitoring of the cluster, ${others}`;
      yield errorAt('no-monitoring', at, what, hint);
    } else if (!monitoring.rules && measured.some(({ prometheus }) => !prometheus)) {
      const what = `a replica is on cluster '${name}', whose 'monitoring.rules: false' leaves out the series that it scales by`;
      yield errorAt('no-monitoring', at, what, "Remove that line, or scale by queries of your own: 'prometheus'");
    }
  }
}
