import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { FleetwrightError } from '../src/errors';
import type { Decision } from '../src/plan/decide';
import { renderCluster } from '../src/render/cluster';
import type { Manifest } from '../src/render/manifest';
import { RouteValidation } from './route-validation';

/**
 * Adds a chart for every cluster on which something lands, with its objects in the order in which to apply them.
 *
 * All objects are plain `ApiObject`s: typed classes drop fields that are newer than they are. Their names and
 * namespaces are given, so that nothing depends on where a construct stands.
 */
export function addCharts(
  scope: Construct,
  { fleet, replicas, routing, renderers }: Decision,
): ReadonlyMap<string, Chart> {
  const clusters = fleet.clusters
    .map((cluster) => ({
      name: cluster.metadata.name,
      manifests: renderCluster(cluster, replicas, { fleet, renderers, routing }),
    }))
    .filter(({ manifests }) => manifests.length > 0);
  const taken = clusters.filter(({ name }) => scope.node.tryFindChild(name));
  if (taken.length > 0) throw new FleetwrightError(taken.map(({ name }) => alreadyThere(scope, name)));
  return new Map(clusters.map(({ name, manifests }) => [name, chartOf(scope, name, manifests)]));
}

function chartOf(scope: Construct, name: string, manifests: readonly Manifest[]): Chart {
  const chart = new Chart(scope, name);
  for (const manifest of manifests) new ApiObject(chart, idOf(manifest), { ...manifest });
  chart.node.addValidation(new RouteValidation(chart, manifests));
  return chart;
}

/** `Deployment.ml.qwen3-0`: none of the parts has a dot before the name. */
function idOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('.');
}

function alreadyThere(scope: Construct, name: string) {
  return {
    code: 'name-collision',
    where: scope.node.path === '' ? name : `${scope.node.path}/${name}`,
    what: `the chart of cluster '${name}' would stand where another construct does`,
    hint: 'Give that construct another id, or put the fleet into a Construct of its own',
  };
}
