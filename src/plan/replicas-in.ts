import type { DeploymentPlan, PlacedReplica } from './plan';

/** The replicas that a deployment has after a plan: those that stay first. */
export function replicasIn({ staying = [], changes }: DeploymentPlan): PlacedReplica[] {
  return [...staying, ...changes.flatMap((change) => ('replica' in change ? [change.replica] : []))];
}
