import { formatCount } from '../base/figures';
import type { ModelRow } from '../catalog/models/model-row';
import { gpusOf, type Layout } from './weights';

const MOST_GPUS = 64;

/** The sizes of TP that divide a model, up to twice the one that does not. */
export function divisorsOf(model: ModelRow, { tp, ep }: Pick<Layout, 'tp' | 'ep'>): number[] {
  const sizes = Array.from({ length: Math.min(2 * tp, MOST_GPUS) }, (_, index) => index + 1);
  const layoutOf = (size: number): Layout => ({ tp: size, pp: 1, dp: 1, ep: ep > 1 ? size : 1, nodes: 1 });
  return sizes.filter((size) => describeMisfit(model, layoutOf(size)) === undefined);
}

/** Says why a layout cannot divide a model. Undefined if it can. */
export function describeMisfit(model: ModelRow, layout: Layout): string | undefined {
  return describeIndivisible(model, layout) ?? describeCutBlocks(model, layout);
}

function describeIndivisible({ attention, heads, layers }: ModelRow, { tp, pp }: Layout): string | undefined {
  const kvHeads = 'kvHeads' in attention ? attention.kvHeads : undefined;
  if (kvHeads !== undefined && kvHeads % tp !== 0 && tp % kvHeads !== 0) {
    return `TP ${tp} does not divide ${kvHeads} KV heads`;
  }
  if (heads !== undefined && heads % tp !== 0) return `TP ${tp} does not divide ${heads} heads`;
  return pp > layers ? `PP ${pp} is more than ${layers} layers` : undefined;
}

/** Says which weights TP would cut within blocks that share a scale. Undefined if it cuts no block. */
export function describeCutBlocks(
  { weightBlock: block, experts, intermediate }: Pick<ModelRow, 'weightBlock' | 'experts' | 'intermediate'>,
  { tp, dp, ep }: Pick<Layout, 'tp' | 'dp' | 'ep'>,
): string | undefined {
  if (block === undefined) return undefined;
  const parts = [
    { width: experts?.intermediate, by: ep > 1 ? (tp * dp) / ep : tp, of: 'experts' },
    { width: intermediate, by: tp, of: 'layers' },
  ];
  const cut = parts.find(({ width, by }) => width !== undefined && by > 1 && (width / by) % block !== 0);
  if (cut?.width === undefined) return undefined;
  return `TP ${cut.by} does not divide the ${formatCount(cut.width)} rows of ${cut.of} into whole blocks of ${block}`;
}

/** Whether TP would cut blocks of experts, so that the engine must distribute whole experts. */
export function needsExpertParallel({ experts, weightBlock }: ModelRow, tp: number): boolean {
  return describeCutBlocks({ experts, weightBlock }, { tp, dp: 1, ep: 1 }) !== undefined;
}

/** The hardware that layouts are for. */
interface NodeShape {
  readonly gpusPerNode: number;

  /** The most nodes of a replica. */
  readonly nodes: number;

  /** Whether a replica takes all GPUs of its nodes. Default: false. */
  readonly wholeNodes?: boolean;
}

/** TP within a node, in powers of two, and for mixtures DP attention with EP over the node. */
export function listNodeLayouts(model: ModelRow, { gpusPerNode, wholeNodes }: NodeShape): Layout[] {
  const least = wholeNodes ? gpusPerNode : 1;
  const sizes = [1, 2, 4, 8, 16, 32, 64].filter((size) => size >= least && size <= gpusPerNode);
  const tensor = sizes.map((tp) => createTensorLayout(model, tp)).filter((layout) => !describeMisfit(model, layout));
  if (!model.experts) return tensor;
  const data = sizes.filter((size) => size > 1).map((size) => ({ tp: 1, pp: 1, dp: size, ep: size, nodes: 1 }));
  return [...tensor, ...data.slice(-1)];
}

/** TP over a node and PP over nodes of a gang, from two nodes on. */
export function listGangLayouts(model: ModelRow, { gpusPerNode, nodes }: NodeShape): Layout[] {
  return Array.from({ length: Math.max(0, nodes - 1) }, (_, index) => {
    const pp = index + 2;
    return { ...createTensorLayout(model, gpusPerNode), pp, nodes: pp };
  }).filter((layout) => !describeMisfit(model, layout));
}

/** The layout of one TP group on one node. */
export function createTensorLayout(model: ModelRow, tp: number): Layout {
  return { tp, pp: 1, dp: 1, ep: needsExpertParallel(model, tp) ? tp : 1, nodes: 1 };
}

/**
 * A layout on nodes of some hardware: each TP group is within a node, and groups fill one node after the other. Undefined
 * if a node has too few GPUs, or there are too few nodes.
 */
export function spreadOverNodes(
  layout: Omit<Layout, 'nodes'>,
  { gpusPerNode, nodes: most, wholeNodes }: NodeShape,
): Layout | undefined {
  const groups = Math.floor(gpusPerNode / layout.tp);
  const nodes = Math.ceil((layout.pp * layout.dp) / groups);
  const isPart = wholeNodes === true && gpusOf({ ...layout, nodes }) !== nodes * gpusPerNode;
  return groups > 0 && nodes <= most && !isPart ? { ...layout, nodes } : undefined;
}

/** The GPUs that share the experts of a model by default: those of all ranks where each has its own TP group. */
export function expertRanksOf(model: ModelRow, { tp, dp }: Pick<Layout, 'tp' | 'dp'>): number {
  if (!model.experts) return 1;
  return dp > 1 || needsExpertParallel(model, tp) ? tp * dp : 1;
}

/** A layout as people write it: `TP 4`, `TP 8 x PP 2`, `DP 8, EP 8`. */
export function formatLayout(layout: Layout): string {
  const { tp, pp, dp, ep, nodes } = layout;
  const parts = [
    dp > 1 && tp === 1 ? `DP ${dp}` : `TP ${tp}`,
    ...(dp > 1 && tp > 1 ? [`DP ${dp}`] : []),
    ...(pp > 1 ? [`PP ${pp}`] : []),
  ];
  const experts = ep > 1 ? `, EP ${ep}` : '';
  const machines = nodes > 1 ? `, ${nodes} nodes` : '';
  return gpusOf(layout) === 1 ? '1 GPU' : `${parts.join(' x ')}${experts}${machines}`;
}

/** The GPUs of a layout and how it divides the model, for a sentence: `2 x H200, TP 2`. */
export function nameLayout(layout: Layout & { readonly gpu: string }): string {
  return formatGpus({ gpu: layout.gpu, gpus: gpusOf(layout), division: formatLayout(layout) });
}

/** GPUs and how a model is divided over them. */
export function formatGpus({ gpu, gpus, division }: { gpu: string; gpus: number; division: string }): string {
  const name = /[A-Z]/.test(gpu) ? gpu : gpu.toUpperCase();
  return gpus === 1 ? `1 x ${name}` : `${gpus} x ${name}, ${division}`;
}
