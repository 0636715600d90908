import type { Engine, EngineMember } from '../api/engine';
import { ROUTING_SIDECAR } from '../catalog/llm-d/routing-sidecar';
import { profileOf, type RunnableDeployment } from './runtime-detection';

/** A container that we put before an engine, as far as the room that its pod takes goes. */
export interface AddedContainer {
  readonly resources: {
    readonly requests: { readonly cpu: string; readonly memory: string };
    readonly limits: { readonly memory?: string };
  };

  /** Always: it goes on beside the engine. */
  readonly restartPolicy?: 'Always';
}

/** What the container takes that waits until caches are staged: it looks for a file now and then. */
export const CACHE_WAIT_CONTAINER: AddedContainer = {
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
};

const ROUTING_SIDECAR_CONTAINER: AddedContainer = {
  resources: { requests: ROUTING_SIDECAR.requests, limits: {} },
  restartPolicy: 'Always',
};

/** The containers that we put before an engine, in the order in which they start. */
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

/** How the routing sidecar before an engine has the prompt read elsewhere, or nothing where none stands before it. */
export function connectorOf(
  deployment: RunnableDeployment,
  engine: Engine,
  { role }: EngineMember,
): string | undefined {
  if (engine.phase !== 'Decode' || role === 'Worker') return undefined;
  return profileOf(deployment, engine).profile.disaggregation?.connector;
}
