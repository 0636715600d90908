/** The volume of shared memory that every pod of an engine has besides its own. Other containers may mount it too. */
export const SHARED_MEMORY_VOLUME = 'shared-memory';

/** Where the engine sees shared memory. A volume that a user mounts there takes its place. */
export const SHARED_MEMORY_PATH = '/dev/shm';

/** Volumes of ours that a pod may have: shared memory, the cache of its model, those of its adapters. */
export function isReservedVolume(name: string): boolean {
  return name === SHARED_MEMORY_VOLUME || name === 'model-cache' || /^adapter-\d+$/.test(name);
}

/** Containers of ours that a pod may have: what waits for caches, and what stands before an engine that decodes. */
export const RESERVED_CONTAINERS: ReadonlySet<string> = new Set(['wait-for-cache', 'routing-sidecar']);

/** Names of ports of the engine and of what stands before it: a Service finds the first container that has one. */
export const RESERVED_PORTS: ReadonlySet<string> = new Set(['http', 'engine']);
