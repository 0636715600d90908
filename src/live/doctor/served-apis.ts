import type { ReleaseName, ServingName } from '../../api/serving-stack';
import { hasInferencePools, INFERENCE_POOL } from '../../provision/releases/inference-pool';
import { releasesNeeded } from '../../provision/releases/releases-of';
import { API } from '../../render/routing/kinds';
import { failure, ok, type Said, warning } from '../finding';
import { isComing } from './coming';
import type { Check, DoctorSite } from './site';

/** Kinds that have to be served, and what brings them. */
interface ApiNeed {
  readonly name: string;
  readonly apiVersion: string;
  readonly kinds: readonly string[];

  /** The part of the serving stack that brings them. Absent: Kubernetes itself does. */
  readonly broughtBy?: ServingName;
  readonly isNeeded: (site: DoctorSite) => boolean;

  /** Whether anything that is declared would wait for it. Otherwise it is only missing for what may come. */
  readonly isUsed: (site: DoctorSite) => boolean;
}

const always = (): boolean => true;

/** Whether a release is needed by what the cluster declares. */
function needs(release: ReleaseName): (site: DoctorSite) => boolean {
  return ({ cluster, fleet }) => releasesNeeded(cluster, fleet).some(({ key }) => key === release);
}

function hasGangs({ fleet }: DoctorSite): boolean {
  return fleet.deployments.some(({ spec }) =>
    spec.template.spec.engines.some(({ members }) => members.some(({ role }) => role === 'Worker')),
  );
}

/** What we render on a cluster, or a release of it watches, beside the kinds that every cluster has. */
export const API_NEEDS: readonly ApiNeed[] = [
  {
    name: 'dra',
    apiVersion: 'resource.k8s.io/v1',
    kinds: ['DeviceClass', 'ResourceClaimTemplate', 'ResourceSlice'],
    isNeeded: ({ cluster }) => cluster.spec.dra && cluster.spec.nodePools.length > 0,
    isUsed: always,
  },
  {
    name: 'leader-worker-set',
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kinds: ['LeaderWorkerSet'],
    broughtBy: 'leaderWorkerSet',
    isNeeded: needs('leaderWorkerSet'),
    isUsed: hasGangs,
  },
  {
    name: 'gateway-api',
    apiVersion: API.gateway,
    kinds: ['BackendTLSPolicy', 'Gateway', 'GatewayClass', 'HTTPRoute'],
    broughtBy: 'envoyGateway',
    isNeeded: needs('envoyGateway'),
    isUsed: always,
  },
  {
    name: 'gateway-api',
    apiVersion: API.grant,
    kinds: ['ReferenceGrant'],
    broughtBy: 'envoyGateway',
    isNeeded: needs('envoyGateway'),
    isUsed: always,
  },
  {
    name: 'envoy-gateway-api',
    apiVersion: API.envoy,
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
    isNeeded: needs('envoyGateway'),
    isUsed: always,
  },
  {
    name: 'cert-manager',
    apiVersion: API.certificate,
    kinds: ['Certificate'],
    broughtBy: 'certManager',
    isNeeded: needs('certManager'),
    isUsed: always,
  },
  {
    name: 'ai-gateway-api',
    apiVersion: 'aigateway.envoyproxy.io/v1beta1',
    kinds: ['AIGatewayRoute', 'AIServiceBackend', 'BackendSecurityPolicy'],
    broughtBy: 'aiGatewayCrds',
    isNeeded: needs('aiGatewayCrds'),
    isUsed: always,
  },
  {
    name: 'inference-api',
    apiVersion: `${INFERENCE_POOL.group}/${INFERENCE_POOL.version}`,
    kinds: [INFERENCE_POOL.kind],
    broughtBy: 'inferenceCrds',
    isNeeded: hasInferencePools,
    isUsed: always,
  },
];

const WITHOUT_CHART = 'Apply its definition, which no chart has; a Pulumi program of the fleet does';

/** The kinds of one API version. */
export const servedApis: readonly Check[] = API_NEEDS.map((need) => ({
  name: need.name,
  look: (site) => (need.isNeeded(site) ? [judge(need, site)] : []),
}));

function judge(need: ApiNeed, site: DoctorSite): Said {
  const { apiVersion, kinds } = need;
  const lacking = kinds.filter((kind) => !site.seen.served.has(`${apiVersion} ${kind}`));
  if (lacking.length === 0) return ok(`${apiVersion} is served`);
  const all = lacking.length === kinds.length;
  // Helm leaves definitions as they are that are there already: an old one stays without its new version.
  if (all && isComing(need.broughtBy, site)) return ok(`${apiVersion} comes with the serving stack`);
  const what = all ? `${apiVersion} is not served` : `${apiVersion} is served without ${lacking.join(', ')}`;
  const hint = remedy(need, site, all);
  return need.isUsed(site)
    ? failure(what, hint)
    : warning(`${what}, and nothing declared needs it yet`, hint);
}

function remedy({ broughtBy }: ApiNeed, { cluster, fleet }: DoctorSite, all: boolean): string {
  const chart = releasesNeeded(cluster, fleet).find(({ key }) => key === broughtBy);
  if (!chart) return broughtBy ? WITHOUT_CHART : 'Upgrade Kubernetes, or switch the API on';
  const left = cluster.spec.servingStack[chart.key]?.install === false;
  const whole = `${all ? 'Install' : 'Upgrade'} the chart ${chart.chart} of ${chart.repository} (${chart.version} was tried)`;
  return left ? whole : `${whole}; a Pulumi program of the fleet does`;
}
