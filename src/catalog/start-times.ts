/** The least and the most time that a part of starting a copy takes, in minutes. */
export interface StartTime {
  readonly least: number;
  readonly most: number;
  readonly source: string;
  readonly date: string;
}

/** From the request for a node to its first pod. */
export const NEW_NODE: StartTime = {
  least: 2,
  most: 10,
  source: 'usual values for GPU nodes of managed clouds, not measured',
  date: '2026-09',
};

/** To pull an image of 10 to 25 GB to a new node. */
export const IMAGE_PULL: StartTime = {
  least: 1,
  most: 3,
  source: 'usual values for images of engines, not measured',
  date: '2026-09',
};

/** To copy weights to the GPU (10 seconds to 3 minutes), to compile and to capture graphs (1 to 5 minutes). */
export const ENGINE_LOAD: StartTime = {
  least: 1,
  most: 8,
  source: 'usual values for engines with 7 to 70 billion parameters, not measured',
  date: '2026-09',
};

/**
 * The speed at which an engine reads weights, in MiB per second. The lower end of observed values: a basic Filestore of
 * 1 TiB reads 100, EFS gives the loader of vLLM about 190. The upper end is that of local disks.
 */
export const READ_MIB_PER_SECOND = { least: 100, most: 2000 } as const;
