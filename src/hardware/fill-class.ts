import type { InstanceType } from '../api/catalogue-file';
import type { Device } from '../api/device';
import type { DeclaredClass, InferenceClass, InferenceClassSpec } from '../api/inference-class';
import { leastAllocatable } from './allocatable';
import { type Catalogue, instanceTypesOf } from './catalogue';
import type { Expanded } from './expand-class';
import { gpuDevice } from './gpu-device';
import { mergedDevices } from './merged-devices';
import { mergedProvisioning } from './merged-provisioning';
import { nodeDevice } from './node-facts';

/** A class with the hardware of instance types, and what it says itself above that, field by field. */
export function fillClass(declared: DeclaredClass, from: string, catalogue: Catalogue): Expanded {
  const types = instanceTypesOf(from, catalogue);
  const devices = mergedDevices(declared.spec.devices ?? [], devicesOf(types, catalogue));
  const provisioning = mergedProvisioning(declared.spec.provisioning, types, from);
  const allocatable = { ...leastAllocatable(types), ...declared.spec.node.allocatable };
  const hardware = { devices: devices.value, provisioning: provisioning.value, node: { allocatable } };
  return {
    resource: withSpec(declared, hardware),
    findings: [...devices.findings, ...provisioning.findings],
  };
}

function withSpec(
  { spec, ...resource }: DeclaredClass,
  hardware: Required<Pick<InferenceClassSpec, 'devices' | 'provisioning' | 'node'>>,
): InferenceClass {
  return { ...resource, spec: { ...spec, ...hardware } };
}

/** The devices of a node that instance types have in common: their GPUs are the same, as the catalogue is checked. */
function devicesOf(types: readonly InstanceType[], { gpus }: Catalogue): Device[] {
  const [first] = types;
  const gpu = first && gpus.get(first.gpu);
  return [...(gpu ? [gpuDevice(gpu, first.gpus)] : []), nodeDevice(types)];
}
