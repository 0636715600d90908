import type { PortSwitch, ReplicaChange } from '../../plan/replica-moves';
import type { Choice } from './choices';

/** What no longer lets requests reach the old port, behind both ports. */
const SWITCHES: Readonly<Record<PortSwitch['by'], string>> = {
  picker: 'and its endpoint picker asks the new one at once',
  policy: 'and its NetworkPolicy then admits the new one alone',
};

/** `: its port changes from 30000 to 8000, and …`. Undefined: replicas stop for something else too. */
export function describePortSwitch(changes: readonly ReplicaChange[]): string | undefined {
  const found = findCausing(changes);
  return found && `: its port changes from ${found.before} to ${found.after}, ${SWITCHES[found.by]}`;
}

/** That the port can stay, where its change alone takes requests from replicas. */
export function listKeptPorts(changes: readonly ReplicaChange[]): Choice[] {
  const found = findCausing(changes);
  if (!found) return [];
  return [{ text: `keep port ${found.before} (cost unchanged)`, cost: 0 }];
}

/** The change of a port without which a replica would serve, or would not stop before its turn. */
function findCausing(changes: readonly ReplicaChange[]): PortSwitch | undefined {
  return changes
    .flatMap(({ portSwitch }) => portSwitch ?? [])
    .find(({ by, servesOtherwise }) => by === 'picker' || servesOtherwise);
}
