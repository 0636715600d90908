/** The shared-memory volume that Fleetwright adds to all engine pods. Other containers can mount it too. */
export const SHARED_MEMORY_VOLUME = 'shared-memory';

/** The mount path of shared memory in the engine container. A volume that the user mounts there replaces it. */
export const SHARED_MEMORY_PATH = '/dev/shm';

/** The volume for temporary files of containers that stage caches in engine pods. */
export const SCRATCH_VOLUME = 'cache-scratch';

/** Whether Fleetwright adds a volume of this name to pods: shared memory, or the cache of the model or an adapter. */
export function isReservedVolume(name: string): boolean {
  return name === SHARED_MEMORY_VOLUME || name === SCRATCH_VOLUME || isCacheVolume(name);
}

function isCacheVolume(name: string): boolean {
  return name === 'model-cache' || /^adapter-\d+$/.test(name);
}

/** Containers that Fleetwright adds to pods: one waits for caches, one is the proxy of a decode engine. */
export const RESERVED_CONTAINERS: ReadonlySet<string> = new Set(['wait-for-cache', 'routing-sidecar']);

/** Precedes the name of a cache volume in the name of the container that stages the cache on a disk of its pod. */
export const DISK_CONTAINER_PREFIX = 'stage-';

/** Whether Fleetwright adds a container of this name to pods, which stages a cache on a disk of its pod. */
export function isDiskContainer(name: string): boolean {
  return name.startsWith(DISK_CONTAINER_PREFIX) && isCacheVolume(name.slice(DISK_CONTAINER_PREFIX.length));
}

/** Whether Fleetwright adds a container of this name to pods. */
export function isReservedContainer(name: string): boolean {
  return RESERVED_CONTAINERS.has(name) || isDiskContainer(name);
}

/** The port names of the engine and of its proxy. A Service targets the first container with such a port name. */
export const RESERVED_PORTS: ReadonlySet<string> = new Set(['http', 'engine']);
