import { SHARED_MEMORY, SHARED_MEMORY_PATH } from '../api/pod/reserved';
import { parseQuantity } from '../cel/quantity';
import { quantityOf } from '../scheduler/amounts';
import type { ComputedMember } from './replica';
import type { MountedVolume } from './volume';

/** As Linux sizes it: half of the memory there is. */
const PART = 0.5;

const MIB = 2 ** 20;

/**
 * Shared memory for a pod: NCCL and the workers of tensor parallelism exchange data in it, and the 64 MiB of a
 * container are too few. What is written counts as memory of the container that writes, so it holds at most half of
 * what the container may use, or else requests; where neither is known, as much as the node has.
 */
export function sharedMemory({ member, requests }: ComputedMember): MountedVolume {
  const [{ resources }] = member.template.spec.containers;
  const memory = resources.limits.memory ?? requests['memory'];
  const sizeLimit = memory === undefined ? {} : { sizeLimit: partOf(memory) };
  return {
    volume: { name: SHARED_MEMORY, emptyDir: { medium: 'Memory', ...sizeLimit } },
    mount: { name: SHARED_MEMORY, mountPath: SHARED_MEMORY_PATH },
  };
}

function partOf(memory: string): string {
  const bytes = parseQuantity(memory).asApproximateFloat() * PART;
  return quantityOf('memory', Math.max(1, Math.floor(bytes / MIB)) * MIB);
}
