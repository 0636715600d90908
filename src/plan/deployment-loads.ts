import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { copyBoundsOf } from '../api/engine-copies';
import { compareText, groupBy } from '../base/order';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { Fleet } from '../fleet/fleet';
import type { ComputedReplica } from '../replicas/replica';
import type { NodeShape } from '../scheduler/compile/shapes';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { Placement } from '../scheduler/placement';
import { type Bounds, type Load, type MeasuredRate, measuredRateOf, replicasOfLoad } from '../sizing/carried-load';
import { fitServed } from '../sizing/check-serving';
import { formatLayout } from '../sizing/layout-rules';
import { chooseConcurrency, measureCommands } from '../sizing/measure-commands';
import type { MeasuredSubject } from '../sizing/measured-speed';
import { gpusOf } from '../sizing/weights';
import type { EngineMemory, MemoryBook } from './engine-memory';

/** Whether the replicas of a deployment carry the load that it declares. */
export interface DeploymentLoad extends Load {
  /** `namespace/name`. */
  readonly deployment: string;

  /** The number of declared replicas. */
  readonly replicas: number;

  /** Requests a second that the replicas carry together. Null: of a layout, nothing is measured. */
  readonly carried: Bounds | null;

  /** The layouts that replicas are placed in, by GPU and name. */
  readonly layouts: readonly LoadOnLayout[];
}

/** What replicas of one layout carry. */
export interface LoadOnLayout {
  readonly model: string;

  /** `2 x h200, TP 2`. */
  readonly layout: string;

  /** Placed replicas with this layout. */
  readonly replicas: number;

  /** Requests a second that one of them carries. Null: nothing is measured. */
  readonly requestsPerSecond: Bounds | null;

  /** The replicas that carry the whole load. Null: not known. */
  readonly needed: Bounds | null;

  /** The measurements, and their requests at once. */
  readonly from: readonly Pick<MeasuredRow, 'source' | 'concurrency'>[];

  /** The commands that measure it. Absent if it is measured. */
  readonly measure?: readonly string[];
}

interface Placed {
  readonly book: MemoryBook;
  readonly placements: readonly Placement[];

  /** In the order of the placements. */
  readonly replicas: readonly ComputedReplica[];
}

/** Compares the loads of deployments with what measurements say of their replicas. */
export function findDeploymentLoads(fleet: Fleet, model: CompiledFleet, placed: Placed): DeploymentLoad[] {
  if (!fleet.deployments.some(({ spec }) => spec.model?.load)) return [];
  const staying = placed.replicas.filter((_, i) => !placed.placements[i]?.draining);
  const replicas = groupBy(staying, ({ deployment }) => qualifiedNameOf(deployment));
  const nodes = new Map(
    model.clusters.flatMap(({ name, pools }) => pools.map((pool) => [`${name}/${pool.name}`, pool.node] as const)),
  );
  const measurements = fleet.models?.measurements ?? [];
  return fleet.deployments.flatMap((deployment) => {
    const id = qualifiedNameOf(deployment);
    const served = (replicas.get(id) ?? []).flatMap((replica) => servedBy(replica, placed.book, nodes));
    const load = deployment.spec.model?.load;
    return load && served.length > 0 ? [loadOf(deployment, load, served, measurements)] : [];
  });
}

/** What the engines of a replica serve, with the copies of the engine. Empty if that cannot be read. */
function servedBy(
  { deployment, cluster, engines }: ComputedReplica,
  book: MemoryBook,
  nodes: ReadonlyMap<string, NodeShape>,
): ServedReplica[] {
  return engines.slice(0, 1).flatMap(({ engine, pool }) => {
    const node = nodes.get(`${cluster.metadata.name}/${pool.name}`);
    const [memory] = book.memoryOf({ deployment, engine, demand: undefined }, node?.kinds ?? []);
    return memory ? [{ memory, copies: copyBoundsOf(engine).max }] : [];
  });
}

interface ServedReplica {
  readonly memory: EngineMemory;

  /** Engines of the replica. With an autoscaler, as many as it can have. */
  readonly copies: number;
}

function loadOf(
  deployment: ModelDeployment,
  load: Load,
  served: readonly ServedReplica[],
  measurements: readonly MeasuredRow[],
): DeploymentLoad {
  const { replicas, model } = deployment.spec;
  const alike = groupBy(served, ({ memory, copies }) => `${subjectText(memory)} ${copies}`);
  const layouts = [...alike]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, [first, ...others]]) => {
      return first
        ? [onLayout(first, others.length + 1, { load, concurrency: model?.concurrency ?? 1, measurements })]
        : [];
    });
  const [only, ...more] = layouts;
  // Replicas without a place count where all are alike: they are to come.
  const counted = only && more.length === 0 ? [{ ...only, replicas }] : layouts;
  return { deployment: qualifiedNameOf(deployment), ...load, replicas, carried: addUp(counted), layouts };
}

function subjectText({ served, setup }: EngineMemory): string {
  return `${served.gpu.name} ${describeLayout(served)} ${setup.engine.name}`;
}

function describeLayout({ gpu, layout }: EngineMemory['served']): string {
  return `${gpusOf(layout)} x ${gpu.name}, ${formatLayout(layout)}`;
}

interface Question {
  readonly load: Load;

  /** Requests at once that a replica is to hold. */
  readonly concurrency: number;
  readonly measurements: readonly MeasuredRow[];
}

function onLayout({ memory, copies }: ServedReplica, replicas: number, question: Question): LoadOnLayout {
  const { load, concurrency, measurements } = question;
  const { served, setup } = memory;
  const { model, gpu, layout } = served;
  const subject: MeasuredSubject = { model, gpu: gpu.name, layout, engine: setup.engine.name };
  const shared = { model: model.repository, layout: describeLayout(served), replicas };
  const ofEngine = measuredRateOf(measurements, subject, load, concurrency);
  if (ofEngine) return { ...shared, ...carriedBy(multiply(ofEngine, copies), load) };
  const fit = fitServed({ ...served, options: { ...served.options, context: load.inputTokens + load.outputTokens } });
  const atOnce = chooseConcurrency(concurrency, fit.concurrency?.expected);
  const measure = measureCommands({ subject, load, concurrency: atOnce, directory: '.' });
  return { ...shared, requestsPerSecond: null, needed: null, from: [], measure };
}

function multiply({ requestsPerSecond: { low, high }, from }: MeasuredRate, copies: number): MeasuredRate {
  return { requestsPerSecond: { low: low * copies, high: high * copies }, from };
}

function carriedBy(rate: MeasuredRate, load: Load): Pick<LoadOnLayout, 'requestsPerSecond' | 'needed' | 'from'> {
  const from = rate.from.map(({ source, concurrency }) => ({ source, concurrency }));
  return { requestsPerSecond: rate.requestsPerSecond, needed: replicasOfLoad(load, rate), from };
}

function addUp(layouts: readonly LoadOnLayout[]): Bounds | null {
  let [low, high] = [0, 0];
  for (const { replicas, requestsPerSecond } of layouts) {
    if (!requestsPerSecond) return null;
    low += replicas * requestsPerSecond.low;
    high += replicas * requestsPerSecond.high;
  }
  return { low, high };
}
