import { isNetworkClass } from '../../catalog/device-classes';
import { ValueIndex } from '../../base/interning';
import type { NodeShape } from '../../scheduler/compile/shapes';
import type {
  ClusterData,
  DemandData,
  KindData,
  PodData,
  PoolFactsData,
  RejectionData,
  ReplicaStatusData,
  ShapeData,
  TextRef,
} from './map-data';

/** The tables of values that the parts of a map refer to by index. */
export class ReferenceTables {
  readonly texts = new ValueIndex<string>();
  readonly shapes = new ValueIndex<ShapeData>();
  readonly demands = new ValueIndex<DemandData>();
  readonly pods = new ValueIndex<PodData>();
  readonly standings = new ValueIndex<ReplicaStatusData>();
  readonly pools = new ValueIndex<PoolFactsData>();
  readonly clusters = new ValueIndex<ClusterData>();
  readonly refusals = new ValueIndex<readonly RejectionData[]>();
  readonly #shapes = new Map<NodeShape, number>();

  /** Adds a text, and returns its reference. */
  readonly text = (text: string): TextRef => this.texts.of(text, text);

  /** Adds a node shape unless it is known, and returns its index. */
  shape(node: NodeShape): number {
    const known = this.#shapes.get(node) ?? this.shapes.of(buildShapeData(node));
    this.#shapes.set(node, known);
    return known;
  }
}

function buildShapeData({ kinds, resources, counts, counterSets = [] }: NodeShape): ShapeData {
  const devices = kinds.map(({ name, claimedAs, memory, partition }, kind): KindData => {
    const claimed = partition ? undefined : claimedAs;
    return {
      name,
      count: counts[kind] ?? 0,
      ...(claimed === undefined ? { synthetic: true } : { claimedAs: claimed }),
      ...(claimed !== undefined && !isNetworkClass(claimed) && { accelerator: true }),
      ...(memory > 0 && { memory }),
    };
  });
  const parents = counterSets.map(({ name, count, kind }): KindData => {
    const divided = kinds.filter(({ partition }) => partition?.set.kind === kind);
    const memory = Math.max(0, ...divided.map((one) => one.memory));
    const claimedAs = divided[0]?.claimedAs ?? name;
    return { name, count, claimedAs, accelerator: true, ...(memory > 0 && { memory }) };
  });
  const stated = resources.map(({ name, amount }): KindData => ({ name, count: amount, resource: name }));
  return { kinds: [...devices, ...stated, ...parents] };
}
