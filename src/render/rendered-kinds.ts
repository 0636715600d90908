/** The kinds of all objects that Fleetwright renders, by API version. */
export const RENDERED_KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: ['ConfigMap', 'Namespace', 'PersistentVolume', 'PersistentVolumeClaim', 'Service', 'ServiceAccount'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['CronJob', 'Job'],
  'cert-manager.io/v1': ['Certificate'],
  'gateway.envoyproxy.io/v1alpha1': [
    'Backend',
    'BackendTrafficPolicy',
    'ClientTrafficPolicy',
    'EnvoyExtensionPolicy',
    'EnvoyPatchPolicy',
    'EnvoyProxy',
    'HTTPRouteFilter',
    'SecurityPolicy',
  ],
  'gateway.networking.k8s.io/v1': ['BackendTLSPolicy', 'Gateway', 'GatewayClass', 'HTTPRoute'],
  'gateway.networking.k8s.io/v1beta1': ['ReferenceGrant'],
  'leaderworkerset.x-k8s.io/v1': ['LeaderWorkerSet'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
  'resource.k8s.io/v1': ['ResourceClaimTemplate'],
};
