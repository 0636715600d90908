import type { NodeShape } from '../scheduler/shapes';
import { Indexed } from '../indexed';
import type {
  ClusterData,
  DemandData,
  KindData,
  PodData,
  PoolFacts,
  RefusalData,
  ShapeData,
  StandingData,
  TextRef,
} from './map-data';

/** What the parts of a map refer to by number. */
export class Tables {
  readonly texts = new Indexed<string>();
  readonly shapes = new Indexed<ShapeData>();
  readonly demands = new Indexed<DemandData>();
  readonly pods = new Indexed<PodData>();
  readonly standings = new Indexed<StandingData>();
  readonly pools = new Indexed<PoolFacts>();
  readonly clusters = new Indexed<ClusterData>();
  readonly refusals = new Indexed<readonly RefusalData[]>();
  readonly #shapes = new Map<NodeShape, number>();

  readonly text = (text: string): TextRef => this.texts.of(text, text);

  /** The place of a node shape: each is described once. */
  shape(node: NodeShape): number {
    const known = this.#shapes.get(node) ?? this.shapes.of(shapeData(node));
    this.#shapes.set(node, known);
    return known;
  }
}

function shapeData({ kinds, resources, counts }: NodeShape): ShapeData {
  const devices = kinds.map(({ name, claimedAs, memory }, kind): KindData => {
    return {
      name,
      count: counts[kind] ?? 0,
      ...(claimedAs === undefined ? { synthetic: true } : { claimedAs }),
      ...(memory > 0 && { memory }),
    };
  });
  return {
    kinds: [...devices, ...resources.map(({ name, amount }) => ({ name, count: amount, resource: name }))],
  };
}
