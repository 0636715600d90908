import { SHARED_MEMORY_PATH, SHARED_MEMORY_VOLUME } from '../../api/pod/reserved-names';
import { parseQuantity } from '../../cel/values/quantity';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { ComputedMember } from '../../replicas/replica';
import { formatResourceAmount } from '../../scheduler/compile/resource-requests';

/** The share of memory, as in the default of Linux for tmpfs. */
const MEMORY_SHARE = 0.5;

const MIB = 2 ** 20;

/**
 * Renders shared memory for a pod. NCCL and tensor-parallel workers exchange data in it, and the 64 MiB default of a
 * container is too small. Written data counts as memory of the container, so the size limit is half of the memory
 * limit, or of the memory request without a limit. Without both, and for a floor, which says nothing about the memory
 * there is, the size is unlimited, which means up to the node's memory.
 */
export function renderSharedMemory({ member, requests, floored = [] }: ComputedMember): MountedVolume {
  const [{ resources }] = member.template.spec.containers;
  const memory = resources.limits.memory ?? (floored.includes('memory') ? undefined : requests['memory']);
  const name = SHARED_MEMORY_VOLUME;
  const sizeLimit = memory !== undefined && { sizeLimit: shareOf(memory) };
  return {
    volume: { name, emptyDir: { medium: 'Memory', ...sizeLimit } },
    mount: { name, mountPath: SHARED_MEMORY_PATH },
  };
}

function shareOf(memory: string): string {
  const bytes = parseQuantity(memory).asApproximateFloat() * MEMORY_SHARE;
  return formatResourceAmount('memory', Math.max(1, Math.floor(bytes / MIB)) * MIB);
}

/** A volume of a pod, and the mount of its container. */
export interface MountedVolume {
  readonly volume: JsonObject;
  readonly mount: JsonObject;
}
