import type { Manifest } from '../../../src/manifest/kubernetes/manifest';

/** What Envoy Gateway reads from files. Any other kind in a file would make it refuse the whole. */
const READABLE: ReadonlySet<string> = new Set([
  'Backend',
  'BackendTLSPolicy',
  'BackendTrafficPolicy',
  'ClientTrafficPolicy',
  'ConfigMap',
  'EnvoyExtensionPolicy',
  'EnvoyPatchPolicy',
  'EnvoyProxy',
  'Gateway',
  'GatewayClass',
  'HTTPRoute',
  'HTTPRouteFilter',
  'Namespace',
  'ReferenceGrant',
  'Secret',
  'SecurityPolicy',
]);

/** The objects of a cluster without workloads and what belongs to them. */
export function readableKinds(manifests: readonly Manifest[]): Manifest[] {
  return manifests.filter(({ kind }) => READABLE.has(kind));
}
