import type { InferenceClass } from '../../api/inference-class';
import { NEURON_DRIVER, NEURON_RESOURCE } from '../../catalog/neuron';

/** Whether nodes of a class have Neuron devices, whether pods claim or count them. */
export function hasNeuronDevices({ spec }: Pick<InferenceClass, 'spec'>): boolean {
  return spec.devices.some(
    ({ driver, extendedResource }) => driver === NEURON_DRIVER || extendedResource === NEURON_RESOURCE,
  );
}
