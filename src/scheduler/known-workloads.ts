import type { Fault } from '../api/checks/fault';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { groupBy } from '../order';
import type { Model, Workload } from './model';

/** Another state of the fleet, and the deployments that both have in common. */
export interface KnownWorkloads {
  readonly model: Model;
  readonly deployments?: ReadonlySet<ModelDeployment>;
}

/** Finds the compiled form of a deployment that is known. */
export function lookup(
  known: KnownWorkloads | undefined,
): (deployment: ModelDeployment) => Workload | undefined {
  const byId = new Map(known?.model.workloads.map((workload) => [workload.id, workload]));
  return (one) => (known?.deployments?.has(one) ? byId.get(qualifiedName(one)) : undefined);
}

/** What is told of the deployments of a fleet, in their order: of those that are known what was told of them there. */
export function allRemarks(
  deployments: readonly ModelDeployment[],
  remarks: readonly Fault[],
  known: KnownWorkloads | undefined,
): readonly Fault[] {
  return known ? inOrder(deployments, [...remarks, ...remarksOn(known)]) : remarks;
}

function remarksOn({ model, deployments }: KnownWorkloads): readonly Fault[] {
  const among: ReadonlySet<object> | undefined = deployments;
  return model.remarks.filter(({ resource }) => among?.has(resource));
}

function inOrder(deployments: readonly ModelDeployment[], remarks: readonly Fault[]): Fault[] {
  if (remarks.length === 0) return [];
  const of = groupBy<object, Fault>(remarks, ({ resource }) => resource);
  return deployments.flatMap((deployment) => of.get(deployment) ?? []);
}
