import type { Cause } from './causes';
import type { DeclarationChange } from './declaration-changes';
import type { ReplicaChange } from './replica-changes';

/** What a comparison knows of declarations and replicas, before it looks at what follows from them. */
export interface Told {
  /** By id. */
  readonly changed: ReadonlyMap<string, DeclarationChange>;

  /** What happens to replicas, by deployment; what moves is told where it goes and where it comes from. */
  readonly deployments: readonly {
    readonly deployment: string;
    readonly changes: readonly (Pick<ReplicaChange, 'cluster' | 'index'> & {
      readonly causes: readonly Cause[];
    })[];
  }[];
}
