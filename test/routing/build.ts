import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { InferenceGateway } from '../../src/api/inference-gateway';
import type { Resource } from '../../src/api/kinds';
import type { ModelCache } from '../../src/api/model-cache';
import type { ModelDeployment } from '../../src/api/model-deployment';
import type { ModelService } from '../../src/api/model-service';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import type { RoutedService, Routing } from '../../src/routing/routing';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, byPath, type Doc, listProblems, parsed } from '../api/build';

/** The class of the pools of sites. */
export const H100 = aClass('h100');

/** Certificates that a cluster needs for routes. */
export const TLS = { issuer: { name: 'fleet' }, caRef: { name: 'fleet-ca' } };

/** A cluster with room for many replicas, and an edge with a host name and certificates. */
export function aSite(
  name: string,
  { gateway, labels, ...options }: Parameters<typeof aCluster>[1] & object = {},
): InferenceCluster {
  const edge = { hostname: `edge.${name}.example.com`, tls: TLS, ...(gateway as Doc) };
  const named = { site: name, ...labels };
  return aCluster(name, {
    pools: { h100: 4 },
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
    labels: named,
    gateway: gateway === 'None' || gateway === null ? gateway : edge,
    ...options,
  });
}

/** A gateway on the named clusters. */
export function aDoor(clusters: string[], spec: Doc = {}): InferenceGateway {
  return parsed('InferenceGateway', 'default', { clusters, ...spec });
}

/** Replicas of vLLM with one GPU each, on the named clusters. */
export function aModel(
  name: string,
  options: Omit<Parameters<typeof aDeployment>[1] & object, 'on'> & { on?: string[] } = {},
): ModelDeployment {
  const { on, ...more } = options;
  const label = { key: 'site', operator: 'In', values: on ?? [] };
  return aDeployment(name, { ...(on && { clusterSelector: { matchExpressions: [label] } }), ...more });
}

/** A service over entries as they are written. */
export function aSplit(name: string, entries: Doc[], spec: Doc = {}): ModelService {
  return parsed('ModelService', name, { endpoints: entries, ...spec });
}

/** An entry that selects by one label. */
export function to(labels: Record<string, string>, entry: Doc = {}): Doc {
  return { selector: { matchLabels: labels }, ...entry };
}

/** What is decided of resources. */
export function decided(...resources: Resource[]): Decision {
  return decide(assemble([H100, ...resources]), byPath, EMPTY_LOCK);
}

/** How their requests are routed. */
export function routed(...resources: Resource[]): Routing {
  return decided(...resources).routing;
}

/** Everything that is wrong with them, a line each. */
export function wrong(...resources: Resource[]): string[] {
  return listProblems(() => decided(...resources));
}

/** The warnings about them, a line each, but for those of revisions. */
export function warned(...resources: Resource[]): string[] {
  return decided(...resources)
    .plan.warnings.filter(({ code }) => code !== 'unpinned-revision')
    .map(formatDiagnostic);
}

/** The members of each rule of a service, as `tier weight hostname`, without what all host names end in. */
export function sharesOf({ rules }: RoutedService): string[][] {
  return rules.map(({ members }) =>
    members.map(({ tier, weight, hostname }) => `${tier} ${weight} ${hostname.replace('.fleetwright.internal', '')}`),
  );
}

/** A deployment's adapters of these names, each with a cache of the same name. */
export function withAdapters(...names: string[]): Doc {
  return { loraAdapters: names.map((name) => ({ name, modelCacheRef: { name } })) };
}

/** The cache of an adapter. */
export function anAdapter(name: string): ModelCache {
  return aCache(`ml/${name}`, { content: 'LoRA', huggingFace: { repo: 'a/b', revision: 'a'.repeat(40) } });
}
