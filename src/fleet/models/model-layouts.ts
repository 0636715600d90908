import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelCache } from '../../api/model-cache';
import type { Where } from '../../api/select/where';

/** How a model is divided on the nodes of some classes. */
export interface ModelLayout {
  /** The names of the classes, sorted. */
  readonly classes: readonly string[];

  /** What selects their GPUs. */
  readonly where: Where;

  /** The name of the GPU, for display. */
  readonly gpu: string;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly ep: number;
  readonly nodes: number;

  /** CPUs and memory in GiB that the container of a pod requests. */
  readonly cpu: number;
  readonly memoryGiB: number;

  /** KV cache of all GPUs in GiB, and requests of the longest length at once, as expected. Null: not known. */
  readonly kvGiB: number;
  readonly requests: number | null;
}

/**
 * The layouts that were chosen for a model, and what they rest on. The lock holds them, so that neither a price, a row
 * of a catalog nor another release changes them.
 */
export interface ModelLayouts {
  /** A digest of the fields of the deployment that decide. Eight hexadecimal digits. */
  readonly spec: string;
  readonly repository: string;
  readonly revision?: string;

  /** What the engine converts the weights to as it loads them. Absent: nothing. */
  readonly quantization?: string;
  readonly context: number;
  readonly image: string;

  /** The files of the model, in GiB. */
  readonly filesGiB: number;

  /** Whether clusters keep the files on shared storage. */
  readonly cached: boolean;

  /** The preferred first. */
  readonly layouts: readonly ModelLayout[];
}

/** A field that is derived from a model. */
export interface DerivedField {
  /** `spec.replicas` and the like. */
  readonly field: string;
  readonly value: string;

  /** A clause. */
  readonly reason: string;
}

/** A deployment with the engine of one layout. */
export interface ModelVariant {
  readonly layout: ModelLayout;
  readonly deployment: ModelDeployment;
  readonly derived: readonly DerivedField[];
}

/** What a deployment with a model comes to. */
export interface ModelExpansion {
  readonly layouts: ModelLayouts;

  /** In the order of the layouts. */
  readonly variants: readonly [ModelVariant, ...ModelVariant[]];

  /** The cache that is added. Absent if one is declared, or if there is none. */
  readonly cache?: ModelCache;

  /** The layouts that would be chosen today, if they cost less than those that were. */
  readonly cheaper?: CheaperLayout;

  /** The same deployment with layouts that are replaced now. Absent if none are. */
  readonly earlier?: readonly ModelVariant[];
}

/** A layout that costs less than the chosen one. */
export interface CheaperLayout {
  readonly layout: ModelLayout;
  readonly perHour: number;

  /** The price of the chosen one. */
  readonly chosenPerHour: number;
}

/** The layouts of a lock, by `namespace/name` of the deployment. */
export type LayoutsByDeployment = ReadonlyMap<string, ModelLayouts>;
