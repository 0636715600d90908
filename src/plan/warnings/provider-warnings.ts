import { isProvider } from '../../api/cloud-providers';
import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import { PROVIDER_LABEL } from '../../api/labels';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { REGIONS } from '../../catalog/regions';
import type { Fleet } from '../../fleet/fleet';

/** Finds clusters whose label names a cloud in another way, or a cloud that does not have the machines of their pools. */
export function findProviderWarnings({ classes, clusters }: Fleet): Diagnostic<ResourcePath>[] {
  const byName = new Map(classes.map((one) => [one.metadata.name, one]));
  return clusters.flatMap((resource) => [
    ...findMisspelledProvider(resource),
    ...findForeignMachines(resource, byName),
  ]);
}

function findMisspelledProvider(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const { [PROVIDER_LABEL]: value } = resource.metadata.labels;
  const written = value?.toLowerCase();
  // Classes name clouds by their prefix: `gcp/a3-highgpu-8g`.
  const named = REGIONS.find((row) => row.provider.toLowerCase() === written || row.prefix === written)?.provider;
  if (named === undefined || named === value) return [];
  const what = `no cloud has the name '${value}'`;
  const path = ['metadata', 'labels', PROVIDER_LABEL];
  return [warningAt('wrong-provider', { resource, path }, what, `Use '${named}'`)];
}

/** The cloud of a cluster that Fleetwright creates is checked against its classes: an error, and no warning. */
function* findForeignMachines(
  resource: InferenceCluster,
  classes: ReadonlyMap<string, InferenceClass>,
): Iterable<Diagnostic<ResourcePath>> {
  const { [PROVIDER_LABEL]: provider } = resource.metadata.labels;
  const { source } = resource.spec.cluster;
  if (isProvider(source) || !REGIONS.some((row) => row.provider === provider)) return;
  for (const [index, { className }] of resource.spec.nodePools.entries()) {
    const machine = classes.get(className)?.spec.from;
    const cloud = REGIONS.find(({ prefix }) => machine?.startsWith(`${prefix}/`))?.provider;
    if (cloud === undefined || cloud === provider) continue;
    const path = ['spec', 'nodePools', index, 'className'];
    const what = `InferenceClass '${className}' has '${machine}' of ${cloud}, and the label of the cluster says ${provider}`;
    yield warningAt('wrong-provider', { resource, path }, what, `Use a class for ${provider}, or correct the label`);
  }
}
