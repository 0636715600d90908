/**
 * The driver of TPUs. It allocates all chips of a node to one claim, or none: a pod whose claim has a part of them does
 * not start (kubernetes-sigs/dra-driver-google-tpu at f5a9d8c, README and cmd/tpu-dra-kubeletplugin/state.go).
 */
export const TPU_DRIVER = 'tpu.google.com';

/** The extended resource of TPUs, and the key of the taint that GKE sets on their nodes. */
export const TPU_RESOURCE = 'google.com/tpu';

/**
 * The names that GKE has for TPUs begin with it: `tpu-v6e-slice`, `tpu7x` (GKE guide, "Plan TPUs in GKE", read on
 * 2026-11-24).
 */
export const TPU_ACCELERATOR_PREFIX = 'tpu';
