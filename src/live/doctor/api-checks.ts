import { scalesToZero } from '../../api/engine-copies';
import {
  backendTypeOf,
  CLAIMS_SINCE,
  kubernetesVersionOf,
  podGroupApiOf,
  schedulerTypeOf,
} from '../../api/kubernetes-features';
import type { ServingStackEntry } from '../../api/serving-stack';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { DYNAMO, KSERVE } from '../../catalog/backends';
import { POD_GROUP_APIS, POD_GROUP_KIND } from '../../catalog/pod-groups';
import { COMPUTE_DOMAIN } from '../../catalog/racks';
import { RELEASE_DEFINITIONS } from '../../provision/releases/charts';
import { listInstalledReleases } from '../../provision/releases/cluster-releases';
import { hasInferencePools, INFERENCE_POOL_KIND } from '../../provision/releases/inference-pool';
import { INTERCEPTOR_ROUTE } from '../../render/interceptor-route';
import { MONITORING_API } from '../../render/monitoring/monitoring-object';
import { API_VERSIONS } from '../../render/routing/routing-object';
import { KAI_TOPOLOGY } from '../../render/kai-topology';
import { SCALED_OBJECT } from '../../render/scaled-object';
import { type CheckResult, reportFailure, reportOk, reportUnknown, reportWarning } from '../finding';
import {
  type ClusterDeclaration,
  type DoctorCheck,
  type ExaminedCluster,
  hasAutoscaledEngines,
  hasTopologies,
  isPendingInstall,
  needsRelease,
} from './check';

/** Kinds that a cluster must serve, and the release that installs them. */
interface RequiredApi {
  readonly name: DiagnosticCode;
  readonly apiVersion: string;
  readonly kinds: readonly string[];

  /** The part of the serving stack that installs the kinds. Absent: Kubernetes provides them. */
  readonly broughtBy?: ServingStackEntry;
  /** Absent: where the declarations need the release that brings it. */
  readonly isNeeded?: (declared: ClusterDeclaration) => boolean;

  /** Whether a declared resource needs the kinds now. If not, a missing kind is only a warning. Absent: always. */
  readonly isUsed?: (declared: ClusterDeclaration) => boolean;
}

function hasGangs({ fleet }: ClusterDeclaration): boolean {
  return fleet.deployments.some(({ spec }) =>
    spec.template.spec.engines.some(({ members }) => members.some(({ role }) => role === 'Worker')),
  );
}

/** The APIs of rendered objects and of the releases on a cluster, beyond those that every cluster serves. */
export const REQUIRED_APIS: readonly RequiredApi[] = [
  {
    name: 'dra',
    apiVersion: 'resource.k8s.io/v1',
    kinds: ['DeviceClass', 'ResourceClaimTemplate', 'ResourceSlice'],
    isNeeded: ({ cluster }) => cluster.spec.dra && cluster.spec.nodePools.length > 0,
  },
  {
    name: 'compute-domains',
    apiVersion: COMPUTE_DOMAIN.apiVersion,
    kinds: [COMPUTE_DOMAIN.kind],
    isNeeded: ({ cluster }) => cluster.spec.nodePools.some(({ rack }) => rack !== undefined),
    isUsed: hasGangs,
  },
  {
    name: 'leader-worker-set',
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kinds: ['LeaderWorkerSet'],
    broughtBy: 'leaderWorkerSet',
    isUsed: hasGangs,
  },
  {
    name: 'keda',
    apiVersion: SCALED_OBJECT.apiVersion,
    kinds: [SCALED_OBJECT.kind],
    broughtBy: 'keda',
    isNeeded: hasAutoscaledEngines,
  },
  {
    name: 'keda',
    apiVersion: INTERCEPTOR_ROUTE.apiVersion,
    kinds: [INTERCEPTOR_ROUTE.kind],
    broughtBy: 'kedaHttpAddOn',
    isNeeded: ({ cluster, fleet }) =>
      cluster.spec.servingStack.kedaHttpAddOn !== undefined && fleet.deployments.some(scalesToZero),
  },
  {
    name: 'queues',
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kinds: ['ClusterQueue', 'LocalQueue', 'ResourceFlavor'],
    broughtBy: 'kueue',
  },
  { name: 'queues', apiVersion: 'scheduling.run.ai/v2', kinds: ['Queue'], broughtBy: 'kai' },
  {
    name: 'queues',
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kinds: ['PodGroup', 'Queue'],
    isNeeded: ({ cluster }) => schedulerTypeOf(cluster) === 'Volcano',
  },
  {
    name: 'queues',
    apiVersion: KAI_TOPOLOGY.apiVersion,
    kinds: [KAI_TOPOLOGY.kind],
    broughtBy: 'kai',
    isNeeded: hasTopologies,
    isUsed: hasGangs,
  },
  ...[...POD_GROUP_APIS.values()].map(
    ({ apiVersion }): RequiredApi => ({
      name: 'kube-scheduler-gangs',
      apiVersion,
      kinds: [POD_GROUP_KIND],
      isNeeded: ({ cluster }) => podGroupApiOf(cluster)?.apiVersion === apiVersion,
      isUsed: hasGangs,
    }),
  ),
  {
    name: 'kserve',
    apiVersion: KSERVE.apiVersion,
    kinds: ['LLMInferenceService', 'LLMInferenceServiceConfig'],
    isNeeded: ({ cluster }) => backendTypeOf(cluster) === 'KServe',
  },
  {
    name: 'dynamo',
    apiVersion: DYNAMO.apiVersion,
    kinds: [DYNAMO.kind],
    broughtBy: 'dynamo',
    isNeeded: ({ cluster }) => backendTypeOf(cluster) === 'Dynamo',
  },
  {
    name: 'dynamo',
    apiVersion: 'grove.io/v1alpha1',
    kinds: ['PodCliqueSet'],
    isNeeded: ({ cluster }) => backendTypeOf(cluster) === 'Dynamo',
    isUsed: (declared) => hasGangs(declared) || schedulerTypeOf(declared.cluster) === 'KAI',
  },
  {
    name: 'gateway-api',
    apiVersion: API_VERSIONS.gateway,
    kinds: ['BackendTLSPolicy', 'Gateway', 'GatewayClass', 'HTTPRoute'],
    broughtBy: 'envoyGateway',
  },
  { name: 'gateway-api', apiVersion: API_VERSIONS.grant, kinds: ['ReferenceGrant'], broughtBy: 'envoyGateway' },
  {
    name: 'envoy-gateway-api',
    apiVersion: API_VERSIONS.envoy,
    kinds: [
      'Backend',
      'BackendTrafficPolicy',
      'ClientTrafficPolicy',
      'EnvoyExtensionPolicy',
      'EnvoyPatchPolicy',
      'EnvoyProxy',
      'HTTPRouteFilter',
      'SecurityPolicy',
    ],
    broughtBy: 'envoyGateway',
  },
  { name: 'cert-manager', apiVersion: API_VERSIONS.certificate, kinds: ['Certificate'], broughtBy: 'certManager' },
  {
    name: 'ai-gateway-api',
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kinds: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'],
    broughtBy: 'aiGatewayCrds',
  },
  {
    name: 'monitoring-api',
    apiVersion: MONITORING_API,
    kinds: ['PodMonitor', 'PrometheusRule'],
    broughtBy: 'prometheus',
  },
  {
    name: 'inference-api',
    apiVersion: `${INFERENCE_POOL_KIND.group}/${INFERENCE_POOL_KIND.version}`,
    kinds: [INFERENCE_POOL_KIND.kind],
    broughtBy: 'inferenceCrds',
    isNeeded: hasInferencePools,
  },
];

const NO_CHART_HINT = 'Apply its definition, which is not in a chart. A Pulumi program of the fleet does that';

/** The checks that a cluster serves its required APIs, one check for each API version. */
export const servedApiChecks: readonly DoctorCheck[] = REQUIRED_APIS.map((need) => ({
  name: need.name,
  look(examined): readonly CheckResult[] {
    const isNeeded = need.isNeeded ?? needsRelease(need.broughtBy);
    return isNeeded(examined) ? [checkApi(need, examined)] : [];
  },
}));

function checkApi(need: RequiredApi, examined: ExaminedCluster): CheckResult {
  const { apiVersion, kinds } = need;
  const why = examined.seen.undiscovered?.get(apiVersion);
  if (why !== undefined) return reportUnknown(`whether ${apiVersion} is served is not known`, `Try again: ${why}`);
  const lacking = kinds.filter((kind) => !examined.seen.served.has(`${apiVersion} ${kind}`));
  if (lacking.length === 0) return reportOk(`${apiVersion} is served`);
  const all = lacking.length === kinds.length;
  // Helm does not update existing CRDs, so an old CRD stays without the new version.
  if (all && isPendingInstall(need.broughtBy, examined)) return reportOk(`${apiVersion} comes with the serving stack`);
  const what = all ? `${apiVersion} is not served` : `${apiVersion} is served without ${lacking.join(', ')}`;
  const hint = formatRemedy(need, examined, all);
  return (need.isUsed?.(examined) ?? true)
    ? reportFailure(what, hint)
    : reportWarning(`${what}, and no declaration needs it yet`, hint);
}

function formatRemedy({ broughtBy }: RequiredApi, { cluster, fleet }: ExaminedCluster, all: boolean): string {
  const chart = RELEASE_DEFINITIONS.find(({ key }) => key === broughtBy);
  if (!chart) return broughtBy ? NO_CHART_HINT : 'Upgrade Kubernetes, or enable the API';
  const notInstalled = !listInstalledReleases(cluster, fleet).includes(chart);
  const action = `${all ? 'Install' : 'Upgrade'} the chart ${chart.chart} of ${chart.repository} (tested version: ${chart.version})`;
  return notInstalled ? action : `${action}. A Pulumi program of the fleet does that`;
}

const MINOR_VERSION = /^v?1\.(\d+)/;

/** Checks that the Kubernetes version supports device claims, and that it is the declared version. */
export const versionCheck: DoctorCheck = {
  name: 'version',
  look({ cluster, seen }): readonly CheckResult[] {
    const running = parseMinor(seen.version);
    if (running === undefined) {
      return [reportUnknown('the API server does not report its version', 'Check it with kubectl version')];
    }
    if (cluster.spec.dra && running < CLAIMS_SINCE) {
      const what = `Kubernetes ${seen.version} does not serve DRA, which requires 1.${CLAIMS_SINCE}`;
      return [reportFailure(what, 'Upgrade it, or set dra: false on the cluster to use a device plugin')];
    }
    const declared = kubernetesVersionOf(cluster);
    const wanted = parseMinor(declared ?? '');
    if (wanted === undefined || wanted === running) return [reportOk(`Kubernetes ${seen.version}`)];
    const what = `Kubernetes ${seen.version} runs, and ${declared} is declared`;
    return [reportWarning(what, 'Correct kubernetesVersion: the features that claims may use depend on it')];
  },
};

function parseMinor(text: string): number | undefined {
  const [, minor] = MINOR_VERSION.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
