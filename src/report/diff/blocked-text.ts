import { joinAnd, joinNames } from '../../base/text';
import type { BlockedPods } from '../../diff/blocked-pods';
import { dedupeCauses } from '../../diff/replica-causes';
import type { CiteEdits } from './change-sentences';

/** How a tool ends a change in which new pods wait for those that it removes last. */
const ENDS: Readonly<Record<BlockedPods['applied'], { readonly never: string; readonly removes: string }>> = {
  perCluster: { never: 'Argo CD never finishes this change', removes: 'Argo CD prunes' },
  withWaves: { never: 'The Pulumi stack refuses this change', removes: 'it deletes' },
  atOnce: { never: '', removes: '' },
};

/** The most pools that a sentence names. */
const MAX_POOLS = 3;

/**
 * Says which pods wait for the devices of which others, and how to do it in two changes.
 *
 * @example `Argo CD never finishes this change: on us/h100, the new pods of ml/b wait for devices of the old pods of ml/a,
 * which Argo CD prunes only when all new pods are ready (edits 1 and 2)`
 */
export function describeBlocked(
  { pools, coming, going, comesBy, goesBy, applied }: BlockedPods,
  { because, nameEdits }: CiteEdits,
): { readonly what: string; readonly hint: string } {
  const { never, removes } = ENDS[applied];
  const waits = `the new pods of ${joinAnd(coming)} wait for devices of the old pods of ${joinAnd(going)}`;
  const [comesIn, goesIn] = [nameEdits(comesBy), nameEdits(goesBy)];
  const isApart = goesIn !== undefined && comesIn !== undefined && goesIn !== comesIn;
  const first = isApart ? `Make ${goesIn}` : `Remove the old pods of ${joinAnd(going)}`;
  return {
    what: `${never}: on ${joinNames(pools, MAX_POOLS)}, ${waits}, which ${removes} only when all new pods are ready${because(dedupeCauses([...goesBy, ...comesBy]))}`,
    hint: `${first} in an earlier change, and ${isApart ? comesIn : 'make the rest'} when these pods are gone`,
  };
}
