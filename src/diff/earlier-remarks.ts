import { listPlacedRemarks } from '../plan/decide';
import type { Plan } from '../plan/plan';
import type { FleetState } from './fleet-state';

/** The warnings and notes of the state that a plan is compared with. */
export function listEarlierRemarks({
  decision,
  locate,
  notes = [],
  ...state
}: FleetState): Pick<Plan, 'warnings' | 'notes'> {
  return listPlacedRemarks(decision, locate, { ...state, notes });
}
