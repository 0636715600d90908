/** The API of gangs of kube-scheduler in a minor version of Kubernetes. */
export interface PodGroupApi {
  /** The version of PodGroup. */
  readonly apiVersion: string;
}

/**
 * The API of gangs by minor version of Kubernetes 1. It changed in each of them, and is off by default: in 1.36 as alpha,
 * in 1.37 as a beta API that the API server serves on request. Pods name their PodGroup in `schedulingGroup`. Sources:
 * k8s.io/api v0.36.0 and v0.37.0. 1.35 is not here: its pods name a Workload in `workloadRef`, which no release of
 * LeaderWorkerSet has in its pod templates.
 */
export const POD_GROUP_APIS: ReadonlyMap<number, PodGroupApi> = new Map([
  [36, { apiVersion: 'scheduling.k8s.io/v1alpha2' }],
  [37, { apiVersion: 'scheduling.k8s.io/v1beta1' }],
]);

/** The kind of a gang in these APIs. */
export const POD_GROUP_KIND = 'PodGroup';
