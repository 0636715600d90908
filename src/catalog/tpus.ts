/** The driver of TPUs. It allocates all chips of a node or none (kubernetes-sigs/dra-driver-google-tpu, README). */
export const TPU_DRIVER = 'tpu.google.com';

/** The extended resource of TPUs, and the key of the taint that GKE sets on their nodes. */
export const TPU_RESOURCE = 'google.com/tpu';

/**
 * The names that GKE has for TPUs begin with it: `tpu-v6e-slice`, `tpu7x` (GKE guide, "Plan TPUs in GKE", read on
 * 2026-11-24).
 */
export const TPU_ACCELERATOR_PREFIX = 'tpu';
