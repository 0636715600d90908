import type { DiagnosticCode } from '../base/diagnostic-codes';
import type { Fleet } from '../fleet/fleet';
import type { RoutedService } from '../routing/routing';
import type { NoteRoom } from './room-to-add';
import type { HintToSpread } from './spread-hint';
import type { MemberChange } from './traffic-share-changes';

/** A service before and after a change. */
export interface ServicePair {
  readonly id: string;
  readonly was: RoutedService;
  readonly is: RoutedService;
  readonly targets: readonly MemberChange[];

  /** The draining replicas before and after, by location, and those after whose replacements have no place. */
  readonly draining: Readonly<Record<'before' | 'after' | 'unreplaced', ReadonlySet<string>>>;

  /** The declarations before and after. */
  readonly fleets: { readonly before: Fleet; readonly after: Fleet };
  readonly hintToSpread: HintToSpread;
  readonly noteRoom: NoteRoom;
}

/** What a change does to clients of a service. */
export interface ServiceWarning {
  readonly code: DiagnosticCode;
  readonly what: string;
  readonly hint: string;

  /** The fields that it is about. Default: those of its code. */
  readonly about?: RegExp;

  /** The replicas that it is about where they leave clusters. Default: none do. */
  readonly leaving?: { readonly deployments: readonly string[]; readonly clusters: readonly string[] };
}
