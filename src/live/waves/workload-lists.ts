import { MANAGED_BY } from '../../render/labels';
import type { Collection } from '../collection';

const OURS = Object.entries(MANAGED_BY).map(([key, value]) => `${key}=${value}`);

/** As API servers take it in a path. */
const SELECTED = `?labelSelector=${encodeURIComponent(OURS.join())}`;

/** Workloads of ours on a cluster, in all namespaces, and the claim templates that say what their pods take. */
export const WORKLOAD_LISTS = {
  deployments: {
    path: `/apis/apps/v1/deployments${SELECTED}`,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
  },
  leaderWorkerSets: {
    path: `/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets${SELECTED}`,
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
  },
  claimTemplates: {
    path: `/apis/resource.k8s.io/v1/resourceclaimtemplates${SELECTED}`,
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
  },
} as const satisfies Readonly<Record<string, Collection>>;
