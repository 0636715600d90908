/** What a node gives to pods. */
interface NodeShare extends PodResources {
  readonly gpusPerNode: number;
}

/** A core for each GPU that feeds it, one for its loader, and two for the API server. */
const CPU = { pod: 2, gpu: 2 };

/** Memory for the process of a GPU and its part of shared memory, and for the API server, in GiB. */
const MEMORY_GIB = { pod: 8, gpu: 12 };

/** What is left of the share of a node for containers that are added to the pod. */
const SHARE = 0.9;

/** CPUs, and memory in GiB. */
interface PodResources {
  readonly cpu: number;
  readonly memoryGiB: number;
}

/** The CPUs and the memory that a pod usually needs, by its GPUs. */
export function usualResourcesOf(gpus: number): PodResources {
  return { cpu: CPU.pod + CPU.gpu * gpus, memoryGiB: MEMORY_GIB.pod + MEMORY_GIB.gpu * gpus };
}

/** The CPUs and the memory that a pod requests: by its GPUs, and no more than their share of the node. */
export function resourcesOfPod(node: NodeShare, gpus: number): PodResources {
  const share = (SHARE * gpus) / node.gpusPerNode;
  const { cpu, memoryGiB } = usualResourcesOf(gpus);
  return { cpu: atMost(cpu, node.cpu * share), memoryGiB: atMost(memoryGiB, node.memoryGiB * share) };
}

/** A whole number, except below 1: a small node has less than that to give. */
function atMost(wanted: number, most: number): number {
  if (wanted <= most) return wanted;
  return most >= 1 ? Math.floor(most) : Math.floor(most * 10) / 10;
}
