import { isDynamo } from '../../api/engine-phases';
import { DYNAMO } from '../../catalog/backends';
import type { Engine } from '../../api/engine';
import { copyBoundsOf } from '../../api/engine-copies';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Metadata, qualifiedNameOf } from '../../api/resource';
import { groupBy } from '../../base/order';
import type { EngineMetrics } from '../../catalog/engines/engine-metrics';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import { profileOf } from '../../engine/runtime-detection';
import { startupSecondsOf } from '../../engine/startup-and-shutdown';
import { shortenName } from '../../manifest/kubernetes/object-names';
import { modelSizeOf } from '../../replicas/mounted-caches';
import type { ComputedReplica } from '../../replicas/replica';
import { workloadReferenceOf } from '../workload-names';
import type { Matchers } from './promql';

/** A deployment on a cluster. */
export interface MonitoredDeployment {
  readonly metadata: Pick<Metadata, 'name'> & { readonly namespace: string };
  readonly deployment: ModelDeployment;
  readonly engines: readonly MonitoredEngine[];
}

/** An engine of all replicas of a deployment on a cluster. */
export interface MonitoredEngine {
  readonly engine: Engine;

  /** The labels of its series: `namespace`, `deployment` and `engine`. */
  readonly labels: Matchers & { readonly namespace: string; readonly deployment: string; readonly engine: string };

  /** The port of its metrics. */
  readonly port: number;

  /** Absent if it has no metrics. */
  readonly metrics?: EngineMetrics;

  /** The fewest copies that the plan starts on the cluster: of all replicas. */
  readonly planned: number;

  /** The names of its Deployments or LeaderWorkerSets. */
  readonly workloads: readonly string[];

  /** The pools of its pods. */
  readonly pools: readonly string[];

  /** Whether its copies are gangs. */
  readonly gang: boolean;

  /** The pods that have metrics, where its labels select others too. */
  readonly among?: { readonly label: string; readonly pattern: string };

  /** The time that a copy may load, in seconds. */
  readonly startupSeconds: number;
}

/**
 * Groups the replicas of a cluster by deployment and engine. Earlier engines count as those of the same name, and those of
 * other names are monitored as long as they run.
 */
export function listMonitoredDeployments(replicas: readonly ComputedReplica[]): MonitoredDeployment[] {
  return [...groupBy(replicas, ({ deployment }) => qualifiedNameOf(deployment)).values()].flatMap((group) => {
    const [current] = [...group.filter(({ former }) => !former), ...group];
    return current ? [toMonitored(current, group)] : [];
  });
}

function toMonitored(current: ComputedReplica, replicas: readonly ComputedReplica[]): MonitoredDeployment {
  const { deployment } = current;
  const { name, namespace = 'default' } = deployment.metadata;
  const engines = [current, ...replicas].flatMap((replica) => replica.engines.map((one) => ({ ...one, replica })));
  const byName = [...groupBy(engines, ({ engine }) => engine.name).values()].flatMap(([first]) => first ?? []);
  return {
    metadata: { name, namespace },
    deployment,
    engines: byName.map(({ engine, replica }) => toMonitoredEngine(engine, replica, replicas)),
  };
}

function toMonitoredEngine(
  engine: Engine,
  { deployment, caches }: ComputedReplica,
  replicas: readonly ComputedReplica[],
): MonitoredEngine {
  const { name, namespace = 'default' } = deployment.metadata;
  const { metrics } = profileOf(deployment, engine).profile;
  const gang = engine.members.some(({ role }) => role === 'Worker');
  const { label, clique: pattern } = DYNAMO.leaders;
  const same = replicas.flatMap((replica) =>
    replica.engines
      .filter((computed) => computed.engine.name === engine.name)
      .map((computed) => ({ replica, ...computed })),
  );
  return {
    engine,
    labels: { namespace, deployment: shortenName(name), engine: engine.name },
    port: servingOf(deployment, engine).enginePort,
    ...(metrics && { metrics }),
    planned: same.reduce((sum, computed) => sum + copyBoundsOf(computed.engine).min, 0),
    workloads: same.map(({ replica, engine: { name: part } }) => {
      const reference = workloadReferenceOf(replica, engine);
      return reference.kind === DYNAMO.kind ? `${reference.name}-${part}` : reference.name;
    }),
    pools: [...new Set(same.map(({ pool }) => pool.name))],
    gang,
    // Workers of gangs do not listen, and Dynamo gives them the labels of their leaders.
    ...(gang && isDynamo(engine) && { among: { label, pattern } }),
    startupSeconds: startupSecondsOf(engine, modelSizeOf(caches)),
  };
}
