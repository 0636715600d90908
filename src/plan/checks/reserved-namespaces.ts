import { resourceIdOf } from '../../api/kinds';
import { errorAt } from '../../base/diagnostic';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { RELEASE_DEFINITIONS } from '../../provision/releases/charts';
import { PROMETHEUS_NAMESPACES } from '../../render/replica-objects';

/** Kubernetes reserves this prefix: kube-system, kube-public, kube-node-lease. */
const KUBERNETES_PREFIX = 'kube-';

/**
 * Namespaces of controllers, by what they hold. A pod in them could read the keys of gateways or the accounts of
 * controllers, and every engine accepts requests from some of them.
 */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ...PROMETHEUS_NAMESPACES.map((name): [string, string] => [name, 'Prometheus, which reaches every engine']),
  ...RELEASE_DEFINITIONS.map(({ namespace, chart }): [string, string] => [namespace, `the chart ${chart}`]),
  [SYSTEM_NAMESPACE, 'gateways and their keys'],
]);

/** What a namespace holds that no resource of a fleet may be in. Undefined for other namespaces. */
export function holderOfNamespace(namespace: string): string | undefined {
  return namespace.startsWith(KUBERNETES_PREFIX) ? 'parts of Kubernetes' : HOLDERS.get(namespace);
}

/** Checks that no resource is in a namespace of Fleetwright, of Kubernetes or of a controller that it installs. */
export const checkReservedNamespaces: FleetCheck = function* ({ deployments, caches, services, endpoints, grants }) {
  for (const resource of [deployments, caches, services, endpoints, grants].flat()) {
    const { namespace = '' } = resource.metadata;
    const holder = holderOfNamespace(namespace);
    if (holder === undefined) continue;
    const what = `${resourceIdOf(resource)} is in a reserved namespace: ${namespace} is for ${holder}`;
    const at = { resource, path: ['metadata', 'namespace'] };
    yield errorAt('reserved-namespace', at, what, 'Move it to another namespace');
  }
};
