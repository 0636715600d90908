import { isNetworkClass } from '../catalog/device-classes';
import { reservedCopiesOf } from '../api/scaling';
import type { ComputedReplica } from './replica';

/**
 * Counts the accelerators that the pods of a replica claim at most, without network cards. Devices of classes that are not in
 * the catalogue count.
 */
export function countAccelerators({ engines }: ComputedReplica): number {
  return engines.reduce((total, { engine, members }) => {
    const pods = members.map(({ member, claims, extended = {} }) => {
      const claimed = claims
        .flatMap(({ forms }) => forms.slice(0, 1))
        .filter((form) => !isNetworkClass(form.claimedAs));
      const perPod = claimed.reduce((sum, { count }) => sum + count, 0);
      const requested = Object.entries(extended).filter(([name]) => !isNetworkClass(name));
      const nodes = member.worker?.nodes ?? 1;
      return nodes * requested.reduce((sum, [, count]) => sum + count, perPod);
    });
    return total + reservedCopiesOf(engine) * pods.reduce((sum, count) => sum + count, 0);
  }, 0);
}
