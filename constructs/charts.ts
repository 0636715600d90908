import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import type { Construct } from 'constructs';
import { errorAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import type { Manifest } from '../src/manifest/kubernetes/manifest';
import type { Decision } from '../src/plan/decision';
import { renderCluster } from '../src/render/cluster';
import { RouteValidation } from './route-validation';

/**
 * Adds a chart for each cluster with objects. A chart contains the objects in the order in which to apply them.
 *
 * All objects are plain `ApiObject`s, since typed classes drop fields that are newer than the class. Names and
 * namespaces are explicit, so they do not depend on the position of a construct in the tree.
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
  if (taken.length > 0) throw new FleetwrightError(taken.map(({ name }) => nameCollisionProblem(scope, name)));
  return new Map(clusters.map(({ name, manifests }) => [name, createChart(scope, name, manifests)]));
}

function createChart(scope: Construct, name: string, manifests: readonly Manifest[]): Chart {
  const chart = new Chart(scope, name);
  for (const manifest of manifests) new ApiObject(chart, chartObjectIdOf(manifest), { ...manifest });
  chart.node.addValidation(new RouteValidation(chart, manifests));
  return chart;
}

/** The construct of an object in the chart of its cluster. */
export function findEmitted(chart: Chart, manifest: Manifest): ApiObject {
  const found = chart.node.tryFindChild(chartObjectIdOf(manifest));
  if (found instanceof ApiObject) return found;
  throw new Error(`bug: ${chart.node.path} has no ${chartObjectIdOf(manifest)}`);
}

/** The ID of the construct of an object: `Deployment.ml.qwen3-0`. Only the name can contain a dot. */
function chartObjectIdOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('.');
}

function nameCollisionProblem(scope: Construct, name: string) {
  return errorAt(
    'name-collision',
    scope.node.path === '' ? name : `${scope.node.path}/${name}`,
    `the chart of cluster '${name}' would have the ID of another construct`,
    'Change the ID of that construct, or create the fleet in its own Construct',
  );
}

/** Output types of an app that mix the objects of several clusters, and their consequences. */
const MIXED_OUTPUT_TYPES: Readonly<Partial<Record<YamlOutputType, string>>> = {
  [YamlOutputType.FILE_PER_APP]: 'FILE_PER_APP writes the objects of all clusters to one file',
  [YamlOutputType.FILE_PER_RESOURCE]:
    'FILE_PER_RESOURCE writes objects of equal names on different clusters to the same file, where the last one wins',
};

/** Checks how an app writes the charts of clusters. */
export function validateOutputType(charts: ReadonlyMap<string, Chart>): string[] {
  const [first] = charts.values();
  const app: unknown = first?.node.root;
  const mixed = app instanceof App ? MIXED_OUTPUT_TYPES[app.yamlOutputType] : undefined;
  return charts.size > 1 && mixed !== undefined
    ? [`${mixed}. Use FILE_PER_CHART or FOLDER_PER_CHART_FILE_PER_RESOURCE.`]
    : [];
}
