/**
 * On objects that no tool may prune when their manifest goes. Argo CD leaves them and calls nothing out of sync; Flux
 * leaves them.
 */
export const KEPT = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
} as const;

/**
 * When Argo CD applies an object, and waits until it is healthy before it goes on. Objects without it are in wave 0,
 * so what workloads need is there before the first of them, which is in wave 1. Namespaces and caches come earlier.
 */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * The wave of routes: behind those of all workloads, of which a deployment has at most one a replica. A route to
 * replicas that are not there yet, or not any more, would do no harm: gateways ask before they send.
 */
export const LAST_WAVE = '10000';

/** On pods: a digest of configuration that they read when they start, so that a new one replaces them. */
export const CONFIG_DIGEST = 'fleetwright.dev/config-digest';

/** On pods: kinds that they look for only when they start, so that new ones replace them once a kind is there. */
export const STARTED_WITH = 'fleetwright.dev/started-with';
