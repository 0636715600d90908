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

const ROUTING_SIDECAR_CONTAINER: AddedContainer = {
  resources: { requests: ROUTING_SIDECAR.requests, limits: {} },
  restartPolicy: 'Always',
};

/** The containers that fleetwright adds before an engine, in the order in which they start. */
export function listAddedContainers(
  deployment: RunnableDeployment,
  engine: Engine,
  member: EngineMember,
  waits: boolean,
): AddedContainer[] {
  return [
    ...(waits ? [CACHE_WAIT_CONTAINER] : []),
    ...(connectorOf(deployment, engine, member) ? [ROUTING_SIDECAR_CONTAINER] : []),
  ];
}

/** The connector by which the routing sidecar of an engine transfers prompts. Nothing if the engine has no sidecar. */
export function connectorOf(
  deployment: RunnableDeployment,
  engine: Engine,
  { role }: EngineMember,
): string | undefined {
  if (engine.phase !== 'Decode' || role === 'Worker') return undefined;
  return profileOf(deployment, engine).profile.disaggregation?.connector;
}
