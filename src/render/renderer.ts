import type { Manifest } from './manifest';
import type { COMPUTED_VERSION, ComputedReplica } from './replica';

/**
 * Turns a replica into the objects that run it on its cluster: ours into Deployments and LeaderWorkerSets, others
 * into what KServe, Dynamo or a platform of the house reads. Pure: the same replica gives the same objects, and
 * nothing but the replica decides. `rendererContract` says what every renderer owes the rest.
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
  /** What plans and messages call it: letters, digits, `.` and `-`. */
  readonly name: string;

  /** The version of `ComputedReplica` that it reads. */
  readonly version: typeof COMPUTED_VERSION;

  /** Why it does not render a replica, as a clause without a full stop, or nothing. */
  reject(replica: ComputedReplica): string | undefined;

  /**
   * All objects of a replica, in the namespace of its deployment. Objects that replicas share come with each of
   * them, and have to be equal. Only for replicas that it does not reject.
   */
  render(replica: ComputedReplica): readonly Manifest[];
}
