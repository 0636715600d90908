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

function buildShapeData({ kinds, resources, counts }: NodeShape): ShapeData {
  const devices = kinds.map(({ name, claimedAs, memory }, kind): KindData => {
    return {
      name,
      count: counts[kind] ?? 0,
      ...(claimedAs === undefined ? { synthetic: true } : { claimedAs }),
      ...(claimedAs !== undefined && !isNetworkClass(claimedAs) && { accelerator: true }),
      ...(memory > 0 && { memory }),
    };
  });
  return { kinds: [...devices, ...resources.map(({ name, amount }) => ({ name, count: amount, resource: name }))] };
}
