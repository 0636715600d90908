import type { Engine, Member } from '../api/engine';
import { ROUTING_SIDECAR } from '../catalog/engines/routing-sidecar';
import { profileOf } from './recognise';
import type { Runs } from './runs';

/** A container that we put before an engine, as far as the room that its pod takes goes. */
export interface OwnContainer {
  readonly resources: {
    readonly requests: { readonly cpu: string; readonly memory: string };
    readonly limits: { readonly memory?: string };
  };

  /** Always: it goes on beside the engine. */
  readonly restartPolicy?: 'Always';
}

/** What the container takes that waits until caches are staged: it looks for a file now and then. */
export const WAITING: OwnContainer = {
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
};

const SIDECAR: OwnContainer = {
  resources: { requests: ROUTING_SIDECAR.requests, limits: {} },
  restartPolicy: 'Always',
};

/** The containers that we put before an engine, in the order in which they start. */
export function ownContainers(
  deployment: Runs,
  engine: Engine,
  member: Member,
  waits: boolean,
): OwnContainer[] {
  return [...(waits ? [WAITING] : []), ...(connectorOf(deployment, engine, member) ? [SIDECAR] : [])];
}

/** How the routing sidecar before an engine has the prompt read elsewhere, or nothing where none stands before it. */
export function connectorOf(deployment: Runs, engine: Engine, { role }: Member): string | undefined {
  if (engine.phase !== 'Decode' || role === 'Worker') return undefined;
  return profileOf(deployment, engine).profile.disaggregation?.connector;
}
