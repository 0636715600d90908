import type { Manifest } from './manifest';
import type { ComputedEngine, ComputedReplica } from './replica';

/** How an engine runs where Kubernetes itself runs it. Pure: the same replica gives the same objects. */
export interface EngineWorkload {
  /** The kind of workload that it makes. */
  readonly name: string;

  /** Why it cannot run an engine, as a clause without a full stop, or nothing. */
  reject(engine: ComputedEngine): string | undefined;

  /** The workload of an engine and what it needs. Only for engines that it does not reject. */
  render(replica: ComputedReplica, engine: ComputedEngine): Manifest[];
}
