import { sortedBy } from '../../base/order';
import { NEURON_DRIVER } from '../../catalog/neuron';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { TPU_DRIVER } from '../../catalog/tpus';
import type { Catalogue, Hardware } from '../../fleet/hardware/hardware';
import { findCatalogueEntries } from '../../fleet/hardware/search-catalogue';
import { findGpuFigures, listGpuFigureNames } from '../../catalog/gpu-names';
import { sizeKnownGpu } from '../../sizing/find-gpu';
import type { SizedHardware } from '../../sizing/fit-model';

/** The most nodes of a gang that sizing tries. */
export const MOST_NODES = 8;

/** The GPUs that a node has if only a GPU is named. */
const GPUS_OF_NODE = 8;

const LISTED = new WeakMap<Hardware, readonly SizedHardware[]>();

/**
 * Every instance type of the catalog, with the lowest known price on demand. Only those with a fast network make
 * gangs.
 */
export function listCatalogueHardware(hardware: Hardware): readonly SizedHardware[] {
  const listed = LISTED.get(hardware) ?? sizeCatalogue(hardware);
  LISTED.set(hardware, listed);
  return listed;
}

function sizeCatalogue(hardware: Hardware): SizedHardware[] {
  return findCatalogueEntries('', hardware).flatMap(({ type, gpu, prices }) => {
    if (!isSizable(gpu)) return [];
    const known = prices.flatMap(({ onDemand }) => onDemand?.perHour ?? []);
    return [{ ...nodesOf(type, gpu), pricePerHour: known.length > 0 ? Math.min(...known) : null }];
  });
}

function nodesOf(type: InstanceType, gpu: Gpu): Omit<SizedHardware, 'pricePerHour'> {
  const nodes = type.fabric !== undefined && type.fabric !== 'Ethernet' ? MOST_NODES : 1;
  const wholeNodes = gpu.driver === TPU_DRIVER;
  return { hardware: type.name, gpu: sizeKnownGpu(gpu), gpusPerNode: type.gpus, nodes, wholeNodes };
}

/** Engines run a rank on each core of a Neuron device, so that a layout of devices says nothing about them. */
function isSizable({ driver }: Gpu): boolean {
  return driver !== NEURON_DRIVER;
}

/** A GPU by name, without a price: one of the catalog, or one whose figures are known. Undefined for other names. */
export function createGpuHardware(name: string, tp = 1, { gpus }: Catalogue): SizedHardware | undefined {
  const declared = [gpus.get(name.toLowerCase())].find((gpu) => gpu && isSizable(gpu));
  const gpu = findGpuFigures(name) ?? (declared && sizeKnownGpu(declared));
  const gpusPerNode = Math.max(tp, GPUS_OF_NODE);
  return gpu && { hardware: gpu.name, gpu, gpusPerNode, nodes: 1, pricePerHour: null };
}

/** The names that `createGpuHardware` knows, sorted. */
export function listGpuNames({ gpus }: Catalogue): string[] {
  return sortedBy(
    new Set([...listGpuFigureNames(), ...[...gpus.values()].filter(isSizable).map((gpu) => gpu.name)]),
    (name) => name,
  );
}
