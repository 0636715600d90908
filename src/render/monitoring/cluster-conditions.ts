import { CACHE_LABEL } from '../../api/labels';
import { groupBy } from '../../base/order';
import type { Manifest } from '../../manifest/kubernetes/manifest';
import { routeNameOf, SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import type { Routing } from '../../routing/routing';
import type { AlertCondition } from './alert-rules';
import { aggregateBy, escapePattern, quoteText, selectSeries } from './promql';

const MINUTE = 60;

/** Errors that programs cause, not devices (docs.nvidia.com/deploy/xid-errors). */
const XIDS_OF_PROGRAMS = [13, 31, 43, 45, 68];

/** Metrics of the DCGM exporter that show a device that has to be reset or replaced. */
const BROKEN_DEVICE = ['DCGM_FI_DEV_ROW_REMAP_FAILURE', 'DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS'];

/** A week: issuers renew certificates a month before their end. */
const CERTIFICATE_SECONDS = 7 * 24 * 3600;

/** The alert for GPUs. Without the DCGM exporter it never fires. */
export function createGpuCondition(): AlertCondition {
  const programs = XIDS_OF_PROGRAMS.map((xid) => `DCGM_FI_DEV_XID_ERRORS != ${xid}`);
  const [first = '', ...others] = programs;
  const xid = [first, ...others.map((one) => one.replace('DCGM_FI_DEV_XID_ERRORS ', ''))].join(' ');
  const broken = BROKEN_DEVICE.map((name) => `${name} > 0`).join(' or ');
  return { alert: 'FleetwrightGpuUnhealthy', expr: `${xid} > 0 or ${broken}`, seconds: 5 * MINUTE };
}

/** The alert for certificates of gateways, as their proxies have loaded them. */
export function createCertificateCondition(): AlertCondition {
  const ends = selectSeries('envoy_listener_ssl_certificate_expiration_unix_time_seconds', {
    namespace: SYSTEM_NAMESPACE,
  });
  const left = `${aggregateBy('min', ['cluster', 'gateway'], ends)} - time()`;
  return { alert: 'FleetwrightCertificateExpiring', expr: `${left} < ${CERTIFICATE_SECONDS}`, seconds: 60 * MINUTE };
}

/** The pattern of the Envoy clusters of the rules of a service at the ingress gateways of a cluster. */
export function frontClustersOf(service: Routing['services'][number], cluster: string): string {
  const routes = service.gateways
    .filter((listener) => listener.cluster === cluster)
    .map(({ gateway }) => escapePattern(routeNameOf(service, gateway)));
  return routes.length === 0 ? '' : `httproute/${escapePattern(service.namespace)}/(${routes.join('|')})/rule/.+`;
}

/** The alert for each service at the ingress gateways of a cluster. */
export function listFrontConditions({ services }: Routing, cluster: string): AlertCondition[] {
  return services.flatMap((service): AlertCondition[] => {
    const clusters = frontClustersOf(service, cluster);
    if (clusters === '') return [];
    const matcher = `envoy_cluster_name=~${quoteText(clusters)}`;
    const healthy = selectSeries('envoy_cluster_membership_healthy', { namespace: SYSTEM_NAMESPACE }, matcher);
    const expr = `${aggregateBy('sum', ['cluster', 'gateway', 'envoy_cluster_name'], healthy)} == 0`;
    const labels = { namespace: service.namespace, service: service.name };
    return [{ alert: 'FleetwrightServiceWithoutTarget', expr, seconds: 2 * MINUTE, labels }];
  });
}

/** The alert for the Jobs that fill and clean caches, by namespace. Names of Jobs of a CronJob begin with its name. */
export function listCacheConditions(manifests: readonly Manifest[]): AlertCondition[] {
  const jobs = manifests.filter(({ kind, metadata }) => KINDS_OF_JOBS.has(kind) && CACHE_LABEL in metadata.labels);
  return [...groupBy(jobs, ({ metadata }) => metadata.namespace ?? '')].map(([namespace, own]) => {
    const names = own.map(({ metadata }) => escapePattern(metadata.name)).join('|');
    const failed = selectSeries('kube_job_status_failed', { namespace }, `job_name=~${quoteText(`(${names})(-.+)?`)}`);
    const expr = `${aggregateBy('max', ['namespace', 'job_name'], failed)} > 0`;
    return { alert: 'FleetwrightCacheJobFailed', expr, seconds: 15 * MINUTE };
  });
}

const KINDS_OF_JOBS: ReadonlySet<string> = new Set(['Job', 'CronJob']);
