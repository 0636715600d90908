import { sortedBy } from '../../base/order';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { parseQuantity } from '../../cel/values/quantity';
import type { Catalogue, Hardware } from '../../fleet/hardware/hardware';
import { findCatalogueEntries } from '../../fleet/hardware/search-catalogue';
import { findGpuFigures, listGpuFigureNames } from '../../catalog/gpu-names';
import { type GpuWithFigures, sizeGpu } from '../../sizing/find-gpu';
import type { SizedHardware } from '../../sizing/fit-model';
import { GIB } from '../../sizing/weights';

/** The most nodes of a gang that sizing tries. */
export const MOST_NODES = 8;

/** The GPUs that a node has if only a GPU is named. */
const GPUS_OF_NODE = 8;

/**
 * Every instance type of the catalogue, with the lowest known price on demand. Only those with a fast network make
 * gangs.
 */
export function listCatalogueHardware(hardware: Hardware): SizedHardware[] {
  return findCatalogueEntries('', hardware).map(({ type, gpu, prices }) => {
    const known = prices.flatMap(({ onDemand }) => onDemand?.perHour ?? []);
    return { ...nodesOf(type, gpu), pricePerHour: known.length > 0 ? Math.min(...known) : null };
  });
}

function nodesOf(type: InstanceType, gpu: Gpu): Omit<SizedHardware, 'pricePerHour'> {
  const nodes = type.fabric !== undefined && type.fabric !== 'Ethernet' ? MOST_NODES : 1;
  return { hardware: type.name, gpu: sizeCatalogueGpu(gpu), gpusPerNode: type.gpus, nodes };
}

function sizeCatalogueGpu({ name, driver = 'gpu.nvidia.com', memory }: Gpu): GpuWithFigures {
  return sizeGpu({ name, driver, memoryGiB: parseQuantity(memory).asApproximateFloat() / GIB });
}

/** A GPU by name, without a price: one of the catalogue, or one whose figures are known. Undefined for other names. */
export function createGpuHardware(name: string, tp = 1, { gpus }: Catalogue): SizedHardware | undefined {
  const declared = gpus.get(name.toLowerCase());
  const gpu = findGpuFigures(name) ?? (declared && sizeCatalogueGpu(declared));
  const gpusPerNode = Math.max(tp, GPUS_OF_NODE);
  return gpu && { hardware: gpu.name, gpu, gpusPerNode, nodes: 1, pricePerHour: null };
}

/** The names that `createGpuHardware` knows, sorted. */
export function listGpuNames({ gpus }: Catalogue): string[] {
  return sortedBy(new Set([...listGpuFigureNames(), ...gpus.keys()]), (name) => name);
}
