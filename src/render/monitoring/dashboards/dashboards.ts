import { createHash } from 'node:crypto';
import { CLUSTER_LABEL } from '../../../api/labels';
import {
  COPIES,
  COST_SERIES,
  type Latency,
  PANEL_TITLES,
  quantileSeriesOf,
  RECORDED_SERIES,
  SLO_SERIES,
} from '../../../catalog/recording-rules';
import { MANAGED_BY, mergeUserLabels } from '../../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../../../manifest/kubernetes/manifest';
import { dashboardNameOf, shortenName } from '../../../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../../../replicas/replica';
import { listMonitoredDeployments, type MonitoredDeployment } from '../monitored-engines';
import type { MonitoredCluster } from '../monitoring-object';
import { type Matchers, quoteText, selectSeries } from '../promql';
import { buildDashboard, type Panel, type Query } from './panels';

/** Renders the dashboards of a cluster as ConfigMaps: one of all deployments, and one of each. */
export function renderDashboards(deployments: readonly MonitoredDeployment[], context: MonitoredCluster): Manifest[] {
  const { monitoring } = context;
  if (!monitoring.dashboards) return [];
  return [
    renderConfigMap(dashboardNameOf(), buildFleetDashboard(), context),
    ...deployments.map((deployment) =>
      renderConfigMap(dashboardNameOf(deployment.metadata), buildDeploymentDashboard(deployment), context),
    ),
  ];
}

/** Formats the dashboards of a fleet as files to import, by name: one of all deployments, and one of each. */
export function formatDashboards(replicas: readonly ComputedReplica[]): Map<string, string> {
  const monitored = listMonitoredDeployments(replicas.filter(({ cluster }) => cluster.spec.monitoring));
  if (monitored.length === 0) return new Map();
  const files: [string, JsonObject][] = [
    [dashboardNameOf(), buildFleetDashboard()],
    ...monitored.map((one): [string, JsonObject] => [dashboardNameOf(one.metadata), buildDeploymentDashboard(one)]),
  ];
  return new Map(files.map(([name, dashboard]) => [`${name}.json`, formatDashboard(dashboard)]));
}

function formatDashboard(dashboard: JsonObject): string {
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

function renderConfigMap(
  name: string,
  dashboard: JsonObject,
  { cluster, settings, monitoring }: MonitoredCluster,
): Manifest {
  const { namespace = monitoring.prometheus.namespace, labels = {}, annotations = {} } = monitoring.dashboards ?? {};
  const own = { ...MANAGED_BY, [CLUSTER_LABEL]: shortenName(cluster.metadata.name) };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { ...mergeUserLabels(own, settings?.spec.defaults.labels ?? {}), ...labels },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    // Import the value of this key where no sidecar reads it.
    data: { [`${name}.json`]: formatDashboard(dashboard) },
  };
}

/** The dashboard of all deployments of a fleet. It does not depend on the cluster, so that copies are alike. */
function buildFleetDashboard(): JsonObject {
  const where = 'cluster=~"$cluster",namespace=~"$namespace"';
  const by = ['cluster', 'namespace', 'deployment'];
  return buildDashboard({
    uid: 'fleetwright-fleet',
    title: 'Fleetwright / Fleet',
    description: 'Load, latencies, replicas and cost of all deployments.',
    variables: [
      { name: 'cluster', series: COPIES.planned },
      { name: 'namespace', series: COPIES.planned },
    ],
    panels: [
      ...commonPanels({ where, by, legend: '{{cluster}} {{namespace}}/{{deployment}}' }),
      sloPanel('cluster=~"$cluster",namespace=~"$namespace"'),
      gpuPanel(
        'Utilization of GPUs',
        'percent',
        'avg by (Hostname, hostname) (DCGM_FI_DEV_GPU_UTIL)',
        '{{Hostname}}{{hostname}}',
      ),
      costPanel('cluster=~"$cluster"'),
    ],
  });
}

/** The dashboard of one deployment, on the clusters that the reader chooses. */
function buildDeploymentDashboard({ metadata, engines }: MonitoredDeployment): JsonObject {
  const { namespace, name } = metadata;
  const own: Matchers = { namespace, deployment: shortenName(name) };
  const where = `${matchersOf(own)},cluster=~"$cluster"`;
  const title = `${namespace}/${name}`;
  const uid = `fleetwright-${createHash('sha256').update(title).digest('hex').slice(0, 12)}`;
  const pods = `namespace=${quoteText(namespace)},pod=~${quoteText(`${name}-.+`)}`;
  return buildDashboard({
    uid,
    title: `Fleetwright / ${title}`,
    description: `Load, latencies against the SLO, replicas against the plan, GPUs and cost of ${title}.`,
    variables: [{ name: 'cluster', series: selectSeries(COPIES.planned, own) }],
    panels: [
      ...commonPanels({
        where,
        by: ['cluster', 'replica_index', 'engine'],
        legend: '{{cluster}} {{replica_index}} {{engine}}',
      }),
      sloPanel(`namespace=${quoteText(namespace)},cluster=~"$cluster"`),
      gpuPanel('Utilization of its GPUs', 'percent', `avg by (pod) (DCGM_FI_DEV_GPU_UTIL{${pods}})`, '{{pod}}'),
      costPanel(`cluster=~"$cluster",pool=~${quoteText(poolsOf(engines).join('|'))}`),
    ],
  });
}

function poolsOf(engines: MonitoredDeployment['engines']): string[] {
  return [...new Set(engines.flatMap(({ pools }) => pools))].sort();
}

function matchersOf(matchers: Matchers): string {
  return selectSeries('', matchers).slice(1, -1);
}

interface View {
  /** Matchers of PromQL. */
  readonly where: string;
  readonly by: readonly string[];
  readonly legend: string;
}

function commonPanels(view: View): Panel[] {
  return [
    linesOf(PANEL_TITLES.requests, 'reqps', [sumOver(RECORDED_SERIES.requests, view)]),
    linesOf(PANEL_TITLES.running, 'short', [sumOver(RECORDED_SERIES.running, view)]),
    linesOf(PANEL_TITLES.waiting, 'short', [sumOver(RECORDED_SERIES.waiting, view)]),
    linesOf(PANEL_TITLES.tokensIn, 'short', [sumOver(RECORDED_SERIES.tokensIn, view)]),
    linesOf(PANEL_TITLES.tokensOut, 'short', [sumOver(RECORDED_SERIES.tokensOut, view)]),
    linesOf(PANEL_TITLES.kvUse, 'percentunit', [
      { ...view, expr: `max by (${view.by.join(', ')}) (${RECORDED_SERIES.kvUse}{${view.where}})` },
    ]),
    latencyPanel('ttft', view),
    latencyPanel('interTokenLatency', view),
    latencyPanel('endToEndLatency', view),
    linesOf('Ready copies against the plan', 'short', [
      { expr: `sum by (cluster, engine) (${COPIES.ready}{${view.where}})`, legend: '{{cluster}} {{engine}} ready' },
      { expr: `sum by (cluster, engine) (${COPIES.planned}{${view.where}})`, legend: '{{cluster}} {{engine}} planned' },
    ]),
  ];
}

function linesOf(title: string, unit: string, queries: readonly Query[]): Panel {
  return { title, type: 'timeseries', unit, queries: queries.map(({ expr, legend }) => ({ expr, legend })) };
}

function sumOver(series: string, { where, by, legend }: View): Query {
  return { expr: `sum by (${by.join(', ')}) (${series}{${where}})`, legend };
}

/** The slowest replica: quantiles of several cannot be added. */
function latencyPanel(latency: Latency, { where, by, legend }: View): Panel {
  return linesOf(`${PANEL_TITLES[latency]}, 95 % of requests`, 's', [
    { expr: `max by (${by.join(', ')}) (${quantileSeriesOf(latency, 'p95')}{${where}})`, legend },
  ]);
}

function sloPanel(where: string): Panel {
  return {
    ...linesOf('Requests outside the SLO, and what it allows', 'percentunit', [
      { expr: `${SLO_SERIES.misses}:1h{${where}}`, legend: '{{cluster}} {{service}} {{slo}}' },
      { expr: `${SLO_SERIES.budget}{${where}}`, legend: '{{cluster}} {{service}} {{slo}}: allowed' },
    ]),
    description: 'Over the last hour. Empty without spec.slo of a ModelService.',
  };
}

function gpuPanel(title: string, unit: string, expr: string, legend: string): Panel {
  return { ...linesOf(title, unit, [{ expr, legend }]), description: 'Empty without the DCGM exporter.' };
}

function costPanel(where: string): Panel {
  return {
    title: 'Cost of pools per hour',
    description: 'Nodes that the plan buys, at the prices that the plan knows, in the currency of the fleet.',
    type: 'stat',
    unit: 'short',
    queries: [
      {
        expr: `sum by (cluster, pool, currency) (${COST_SERIES}{${where}})`,
        legend: '{{cluster}} {{pool}} {{currency}}',
      },
    ],
  };
}
