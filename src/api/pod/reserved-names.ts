/** The shared-memory volume that Fleetwright adds to all engine pods. Other containers can mount it too. */
export const SHARED_MEMORY_VOLUME = 'shared-memory';

/** The mount path of shared memory in the engine container. A volume that the user mounts there replaces it. */
export const SHARED_MEMORY_PATH = '/dev/shm';

/** Whether Fleetwright adds a volume of this name to pods: shared memory, or the cache of the model or an adapter. */
export function isReservedVolume(name: string): boolean {
  return name === SHARED_MEMORY_VOLUME || name === 'model-cache' || /^adapter-\d+$/.test(name);
}

/** The containers that Fleetwright adds to pods: one waits for caches, one is the proxy of a decode engine. */
export const RESERVED_CONTAINERS: ReadonlySet<string> = new Set(['wait-for-cache', 'routing-sidecar']);

/** The port names of the engine and of its proxy. A Service targets the first container with such a port name. */
export const RESERVED_PORTS: ReadonlySet<string> = new Set(['http', 'engine']);
