import type { Fleet } from '../../fleet/fleet';
import { objectLabelsOf } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { CLUSTER_RULES, deploymentRulesNameOf, serviceRulesNameOf } from '../../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../../replicas/replica';
import type { RoutedService, Routing } from '../../routing/routing';
import { type ClusterContext, routeMetaOf } from '../routing/routing-object';
import { PICKER_COMPONENT } from '../routing/picker-objects';
import { type AlertCondition, listEngineConditions, renderAlert } from './alert-rules';
import {
  createCertificateCondition,
  createGpuCondition,
  listCacheConditions,
  listFrontConditions,
} from './cluster-conditions';
import { renderDashboards } from './dashboards/dashboards';
import { listMonitoredDeployments, type MonitoredDeployment } from './monitored-engines';
import { type MonitoredCluster, createMonitoringObject } from './monitoring-object';
import { renderEngineMonitors, renderGatewayMonitor, renderPickerMonitor } from './pod-monitors';
import { renderCopyRules, renderCostRules, renderRecordingRules } from './recording-rules';
import type { RuleGroup } from './rule';
import { listServiceObjectives, listSloConditions, renderSloRules } from './slo-rules';

/** What the monitoring of a cluster depends on. */
export interface MonitoredState {
  readonly replicas: readonly ComputedReplica[];
  readonly routing: Routing;
  readonly fleet: Pick<Fleet, 'classes' | 'hardware'>;

  /** All other objects of the cluster. */
  readonly manifests: readonly Manifest[];
}

/** Renders the objects by which a cluster is monitored. None if it declares no monitoring. */
export function renderMonitoring(state: MonitoredState, place: ClusterContext): Manifest[] {
  const { monitoring } = place.cluster.spec;
  if (!monitoring) return [];
  const context = { ...place, monitoring };
  const deployments = listMonitoredDeployments(state.replicas);
  return [
    ...(monitoring.podMonitors ? renderPodMonitors(deployments, state, context) : []),
    ...(monitoring.rules ? renderRules(deployments, state, context) : []),
    ...renderDashboards(deployments, context),
  ];
}

function renderPodMonitors(
  deployments: readonly MonitoredDeployment[],
  { manifests }: MonitoredState,
  context: MonitoredCluster,
): Manifest[] {
  const pickers = manifests.filter(({ kind, metadata: { labels } }) => {
    return kind === 'Deployment' && Object.entries(PICKER_COMPONENT).every(([key, value]) => labels[key] === value);
  });
  const namespaces = new Set(pickers.map(({ metadata }) => metadata.namespace ?? ''));
  return [
    ...deployments.flatMap((deployment) => renderEngineMonitors(deployment, context)),
    ...[...namespaces].map((namespace) => renderPickerMonitor(namespace, context)),
    ...(hasGateways(manifests) ? [renderGatewayMonitor(context)] : []),
  ];
}

function hasGateways(manifests: readonly Manifest[]): boolean {
  return manifests.some(({ kind }) => kind === 'Gateway');
}

function renderRules(
  deployments: readonly MonitoredDeployment[],
  state: MonitoredState,
  context: MonitoredCluster,
): Manifest[] {
  return [
    ...deployments.map((deployment) => renderDeploymentRules(deployment, context)),
    ...state.routing.services.flatMap((service) => renderServiceRules(service, deployments, context)),
    ...renderClusterRules(state, context),
  ];
}

/** Renders the rules of a deployment: a group of rules for each engine. */
function renderDeploymentRules(
  { metadata, deployment, engines }: MonitoredDeployment,
  context: MonitoredCluster,
): Manifest {
  const cluster = context.cluster.metadata.name;
  const owner = {
    namespace: metadata.namespace,
    name: deploymentRulesNameOf(metadata),
    labels: objectLabelsOf({ deployment, cluster }),
  };
  const groups = engines.flatMap((engine): RuleGroup[] => {
    const name = `${metadata.namespace}/${metadata.name}/${engine.engine.name}`;
    const recordings = [...renderCopyRules(engine, cluster), ...renderRecordingRules(engine)];
    return [{ name, rules: recordings }, ...toAlertGroup(`${name}/alerts`, listEngineConditions(engine), context)];
  });
  return createMonitoringObject('PrometheusRule', owner, { groups }, context);
}

/** Renders the rules of the SLO of a service, in its namespace. */
function renderServiceRules(
  service: RoutedService,
  deployments: readonly MonitoredDeployment[],
  context: MonitoredCluster,
): Manifest[] {
  const cluster = context.cluster.metadata.name;
  const declared = deployments.map(({ deployment }) => deployment);
  const objectives = listServiceObjectives(service, declared, cluster);
  if (objectives.length === 0) return [];
  const { namespace, name } = service;
  const labels = { cluster, namespace, service: name };
  const group = `${namespace}/${name}/slo`;
  const conditions = objectives.flatMap((objective) => listSloConditions(labels, objective));
  const groups: RuleGroup[] = [
    { name: group, rules: objectives.flatMap((objective) => renderSloRules(labels, objective)) },
    ...toAlertGroup(`${group}/alerts`, conditions, context),
  ];
  const meta = routeMetaOf(service, context, serviceRulesNameOf(service));
  const owner = { namespace, name: meta.name, labels: meta.labels };
  return [createMonitoringObject('PrometheusRule', owner, { groups }, context)];
}

/** Renders the alerts that are about no single deployment, next to Prometheus. */
function renderClusterRules({ fleet, routing, manifests }: MonitoredState, context: MonitoredCluster): Manifest[] {
  const cluster = context.cluster.metadata.name;
  const conditions = [
    createGpuCondition(),
    ...(hasGateways(manifests) ? [createCertificateCondition()] : []),
    ...listFrontConditions(routing, cluster),
    ...listCacheConditions(manifests),
  ];
  const owner = { namespace: context.monitoring.prometheus.namespace, name: CLUSTER_RULES, labels: {} };
  const costs = renderCostRules(context.cluster, fleet);
  const groups: RuleGroup[] = [
    ...(costs.length > 0 ? [{ name: 'fleetwright/cost', rules: costs }] : []),
    ...toAlertGroup('fleetwright/cluster', conditions, context),
  ];
  return groups.length > 0 ? [createMonitoringObject('PrometheusRule', owner, { groups }, context)] : [];
}

function toAlertGroup(
  name: string,
  conditions: readonly AlertCondition[],
  { monitoring }: MonitoredCluster,
): RuleGroup[] {
  if (!monitoring.alerts.enabled || conditions.length === 0) return [];
  return [{ name, rules: conditions.map((condition) => renderAlert(condition, monitoring)) }];
}
