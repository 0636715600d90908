import type { Engine } from '../api/engine';
import { resourceIdOf } from '../api/kinds';
import { copyBoundsOf, isAutoscaled } from '../api/engine-copies';
import { sortUnique } from '../base/order';
import { NEW_NODE } from '../catalog/start-times';
import { startupSecondsOf } from '../engine/startup-and-shutdown';
import { modelSizeOf } from '../replicas/mounted-caches';
import { type ComputedReplica, groupReplicasByDeployment } from '../replicas/replica';

/** Describes the engines whose copies an autoscaler chooses: their bounds, and how long a further copy takes. */
export function describeScaling(replicas: readonly ComputedReplica[]): string[] {
  return [...groupReplicasByDeployment(replicas)].flatMap(([deployment, group]) => {
    const engines = group[0]?.engines.map(({ engine }) => engine).filter(isAutoscaled) ?? [];
    return engines.map((engine) => {
      const { min, max } = copyBoundsOf(engine);
      const count = `engine ${engine.name} has ${min} to ${max} copies in each replica`;
      const reserved = `the plan reserves devices for all ${max}`;
      return `${resourceIdOf(deployment)}: ${count}, and ${reserved}. ${describeStart(engine, group)}`;
    });
  });
}

function describeStart(engine: Engine, group: readonly ComputedReplica[]): string {
  const budget = Math.max(...group.map(({ caches }) => startupSecondsOf(engine, modelSizeOf(caches))));
  const start = `A further copy serves at most ${Math.ceil(budget / 60)} minutes after it starts`;
  const pools = sortUnique(group.flatMap((replica) => listAutoscaledPools(replica, engine)));
  if (pools.length === 0) return `${start}.`;
  const [least, most] = [sum(NEW_NODE.map((one) => one.least)), sum(NEW_NODE.map((one) => one.most))];
  return `${start}, and ${least} to ${most} minutes later where ${pools.join(', ')} must add a node for it.`;
}

function listAutoscaledPools({ cluster, engines }: ComputedReplica, engine: Engine): string[] {
  return engines
    .filter((one) => one.engine === engine && (one.pool.minNodeCount ?? 0) < (one.pool.maxNodeCount ?? 0))
    .map(({ pool }) => `${cluster.metadata.name}/${pool.name}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
