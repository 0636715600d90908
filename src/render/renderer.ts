import type { Manifest } from '../manifest/kubernetes/manifest';
import type { COMPUTED_VERSION, ComputedReplica } from '../replicas/replica';

/**
 * Turns a replica into the objects that run it on its cluster. The native renderer creates Deployments and
 * LeaderWorkerSets; a custom renderer can create objects for KServe, Dynamo or an in-house platform. A renderer is
 * pure: its objects depend on the replica only. `rendererContract` lists the rules for every renderer.
 *
 * @example
 * const house: Renderer = {
 *   name: 'house',
 *   version: 1,
 *   reject: ({ cluster }) => (cluster.metadata.labels.platform === 'house' ? undefined : 'it runs no house platform'),
 *   render: (replica) => [modelServer(replica)],
 * };
 */
export interface Renderer {
  /** The name in plans and messages: letters, digits, `.` and `-`. */
  readonly name: string;

  /** The version of `ComputedReplica` that the renderer reads. */
  readonly version: typeof COMPUTED_VERSION;

  /** Returns why it rejects a replica, as a clause without a full stop, or undefined if it renders the replica. */
  reject(replica: ComputedReplica): string | undefined;

  /**
   * Returns all objects of a replica, in the namespace of its deployment. Each replica includes the objects that it
   * shares with other replicas, and these must be equal. Called only for replicas that it does not reject.
   */
  render(replica: ComputedReplica): readonly Manifest[];
}

/** Returns the renderer of a replica. */
export type RendererSelector = (replica: ComputedReplica) => Renderer;
