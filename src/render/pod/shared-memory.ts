import { SHARED_MEMORY_PATH, SHARED_MEMORY_VOLUME } from '../../api/pod/reserved-names';
import { parseQuantity } from '../../cel/values/quantity';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { ComputedMember } from '../../replicas/replica';
import { formatResource } from '../../scheduler/compile/resource-requests';

/** As Linux sizes it: half of the memory there is. */
const MEMORY_SHARE = 0.5;

const MIB = 2 ** 20;

/**
 * Shared memory for a pod: NCCL and the workers of tensor parallelism exchange data in it, and the 64 MiB of a
 * container are too few. What is written counts as memory of the container that writes, so it holds at most half of
 * what the container may use, or else requests; where neither is known, as much as the node has.
 */
export function renderSharedMemory({ member, requests }: ComputedMember): MountedVolume {
  const [{ resources }] = member.template.spec.containers;
  const memory = resources.limits.memory ?? requests['memory'];
  const sizeLimit = memory === undefined ? {} : { sizeLimit: shareOf(memory) };
  return {
    volume: { name: SHARED_MEMORY_VOLUME, emptyDir: { medium: 'Memory', ...sizeLimit } },
    mount: { name: SHARED_MEMORY_VOLUME, mountPath: SHARED_MEMORY_PATH },
  };
}

function shareOf(memory: string): string {
  const bytes = parseQuantity(memory).asApproximateFloat() * MEMORY_SHARE;
  return formatResource('memory', Math.max(1, Math.floor(bytes / MIB)) * MIB);
}

/** A volume of a pod and where its container sees it. */
export interface MountedVolume {
  readonly volume: JsonObject;
  readonly mount: JsonObject;
}
