import { countPartitions } from '../../api/counter-sets';
import { type ClassDevice, type DeclaredDevice, device as schema } from '../../api/device';
import type { DeclaredClass, InferenceClass } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import type { Diagnostic } from '../../base/diagnostic';
import type { InstanceType } from '../../catalog/row-types';
import { minAllocatableOf } from './allocatable';
import { buildGpuDevice, buildNodeDevice } from './catalogue-devices';
import { definedFieldsOf, type MergedCatalogue, mergeProvisioning, prefixPath } from './catalogue-overrides';
import { type Catalogue, resolveInstanceTypes } from './hardware';

/** A class with its hardware filled in, and the findings about it. */
export interface ExpandedClass {
  readonly resource: InferenceClass;
  readonly findings: readonly Diagnostic<Path>[];
}

/** Fills a class with the hardware of its instance types. Fields that the class sets win, field by field. */
export function fillClass(declared: DeclaredClass, from: string, catalogue: Catalogue): ExpandedClass {
  const types = resolveInstanceTypes(from, catalogue);
  const devices = mergeDevices(declared.spec.devices ?? [], devicesOf(types, catalogue));
  const provisioning = mergeProvisioning(declared.spec.provisioning, types, from);
  const allocatable = { ...minAllocatableOf(types), ...declared.spec.node.allocatable };
  const counted = countPartitions(devices.value, declared.spec.counterSets ?? []);
  const hardware = { devices: counted, provisioning: provisioning.value, node: { allocatable } };
  return {
    resource: { ...declared, spec: { ...declared.spec, ...hardware } },
    findings: [...devices.findings, ...provisioning.findings],
  };
}

/** The devices of a node of some instance types. All have the same GPUs: `readCatalogue` checks that of macros. */
function devicesOf(types: readonly InstanceType[], { gpus }: Catalogue): ClassDevice[] {
  const [first] = types;
  const gpu = first && gpus.get(first.gpu);
  return [...(gpu ? [buildGpuDevice(gpu, first.gpus, types)] : []), buildNodeDevice(types)];
}

/** Merges the devices of a class into those of the catalog by name. Devices that only the class has come last. */
function mergeDevices(
  declared: readonly DeclaredDevice[],
  known: readonly ClassDevice[],
): MergedCatalogue<ClassDevice[]> {
  const merged = new Map(known.map((one) => [one.name, one]));
  const findings: Diagnostic<Path>[] = [];
  for (const [index, written] of declared.entries()) {
    const checked = validateAgainst(schema, overrideDevice(written, merged.get(written.name)));
    if ('value' in checked) merged.set(written.name, checked.value);
    else findings.push(...checked.findings.map(prefixPath('spec', 'devices', index)));
  }
  return { value: [...merged.values()], findings };
}

function overrideDevice(written: DeclaredDevice, known: ClassDevice | undefined): object {
  return {
    ...known,
    ...definedFieldsOf(written),
    attributes: { ...known?.attributes, ...written.attributes },
    capacity: { ...known?.capacity, ...written.capacity },
  };
}
