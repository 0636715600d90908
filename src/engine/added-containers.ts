import { pairPhaseOf } from '../api/engine-phases';
import { bucketSourceOf, deliveryOf, type DeliveredSpec } from '../api/cache/delivery';
import type { Engine, EngineMember } from '../api/engine';
import { ROUTING_SIDECAR } from '../catalog/llm-d/routing-sidecar';
import { profileOf, type RunnableDeployment } from './runtime-detection';

/** The resource requests of a container that fleetwright adds before an engine. */
export interface AddedContainer {
  readonly resources: {
    readonly requests: { readonly cpu: string; readonly memory: string };
    readonly limits: { readonly memory?: string };
  };

  /** Always: it runs as long as the engine. */
  readonly restartPolicy?: 'Always';
}

/** The container that waits until caches are staged. It only looks for a file from time to time. */
export const CACHE_WAIT_CONTAINER: AddedContainer = {
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
};

/** The container that copies the files of a cache. The tools compare and unpack in memory. */
export const CACHE_STAGE_CONTAINER: AddedContainer = {
  resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '8Gi' } },
};

/**
 * The sidecar that GKE adds to pods that mount a bucket, with its default requests (GKE documentation, "Configure
 * resources for the sidecar container"). It is not rendered.
 */
const BUCKET_SIDECAR: AddedContainer = {
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: {} },
  restartPolicy: 'Always',
};

/** The containers that fill or mount caches before an engine starts, in the order in which they start. */
export function listCacheContainers(caches: readonly DeliveredSpec[]): AddedContainer[] {
  const deliveries = caches.map(deliveryOf);
  return [
    ...(caches.some((one) => bucketSourceOf(one) === 'GCS') ? [BUCKET_SIDECAR] : []),
    ...deliveries.filter((one) => one === 'PodDisk').map(() => CACHE_STAGE_CONTAINER),
    ...(deliveries.includes('Staged') ? [CACHE_WAIT_CONTAINER] : []),
  ];
}

const ROUTING_SIDECAR_CONTAINER: AddedContainer = {
  resources: { requests: ROUTING_SIDECAR.requests, limits: {} },
  restartPolicy: 'Always',
};

/**
 * The containers that fleetwright adds before an engine, in the order in which they start.
 *
 * @param ofCaches those that fill or mount its caches
 */
export function listAddedContainers(
  deployment: RunnableDeployment,
  engine: Engine,
  member: EngineMember,
  ofCaches: readonly AddedContainer[],
): AddedContainer[] {
  return [...ofCaches, ...(connectorOf(deployment, engine, member) ? [ROUTING_SIDECAR_CONTAINER] : [])];
}

/** The connector by which the routing sidecar of an engine transfers prompts. Nothing if the engine has no sidecar. */
export function connectorOf(
  deployment: RunnableDeployment,
  engine: Engine,
  { role }: EngineMember,
): string | undefined {
  if (pairPhaseOf(engine) !== 'Decode' || role === 'Worker') return undefined;
  return profileOf(deployment, engine).profile.disaggregation?.connector;
}
