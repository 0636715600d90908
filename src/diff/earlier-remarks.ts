import { listPlacedRemarks } from '../plan/decide';
import type { Plan } from '../plan/plan';
import type { FleetState } from './fleet-state';

type Remarks = Pick<Plan, 'warnings' | 'notes'>;

/** The comment and the map of a comparison both show them. */
const KNOWN = new WeakMap<FleetState, Remarks>();

/** The warnings and notes of the state that a plan is compared with. */
export function listEarlierRemarks(before: FleetState): Remarks {
  const { decision, locate, notes = [], ...state } = before;
  const found = KNOWN.get(before) ?? listPlacedRemarks(decision, locate, { ...state, notes });
  KNOWN.set(before, found);
  return found;
}
