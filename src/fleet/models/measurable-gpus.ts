import type { InferenceClass } from '../../api/inference-class';
import { sortedBy } from '../../base/order';
import { listGpuFigureNames } from '../../catalog/gpu-names';
import type { Hardware } from '../hardware/hardware';

/** The names of GPUs that a measurement may name: of the catalog, with known figures, and devices of classes. */
export function listMeasurableGpus({ catalogue }: Hardware, classes: readonly InferenceClass[]): string[] {
  const devices = classes.flatMap(({ spec }) => spec.devices.map(({ name }) => name));
  return sortedBy(new Set([...catalogue.gpus.keys(), ...listGpuFigureNames(), ...devices]), (name) => name);
}
