import type { Binding } from './request-matcher';
import type { Alternative, PodRequest } from './shapes';

/** A form of a request, bound to the device class whose devices it would take. */
export interface Choice {
  readonly request: PodRequest;
  readonly form: Alternative;
  readonly binding: Binding;
}

/** A choice for every request of a pod that a node can meet at once. */
export interface Solution {
  readonly choices: readonly Choice[];
  /** The devices of each kind that each request takes. */
  readonly taken: readonly (readonly number[])[];
  /** Whether constraints leave the cluster more than one way. */
  readonly open: boolean;
  readonly unjudged: readonly string[];
}
