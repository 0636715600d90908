import type { DeclaredClass, InferenceClass } from '../../api/inference-class';
import { errorAt } from '../../base/diagnostic';
import { editDistance, hasOtherDigits } from '../../base/name-suggestion';
import { sortedNaturally } from '../../base/order';
import { joinNames } from '../../base/text';
import { fillAllocatable } from './allocatable';
import { findMisspelledValues } from './device-values';
import type * as Fill from './fill-class';
import type { ExpandedClass } from './fill-class';
import {
  type Catalogue,
  listTypesBeginningWith,
  listTypesOfGpu,
  resolveInstanceTypes,
  suggestInstanceType,
} from './hardware';

/**
 * Fills in the hardware that a class takes from the catalog with `from`. Fields that the class sets win, field by
 * field. A class without `from` gets only what nodes of the machines in its `provisioning` give to pods.
 */
export function expandClass(declared: DeclaredClass, catalogue: Catalogue): ExpandedClass {
  const { resource, findings } = fillFromCatalogue(declared, catalogue);
  return { resource, findings: [...findings, ...findMisspelledValues(declared, resource, catalogue)] };
}

function fillFromCatalogue(declared: DeclaredClass, catalogue: Catalogue): ExpandedClass {
  const { from } = declared.spec;
  // Without `from`, the schema requires all fields.
  if (from === undefined) return { resource: fillAllocatable(declared as InferenceClass, catalogue), findings: [] };
  if (resolveInstanceTypes(from, catalogue).length === 0) {
    const spec = { ...declared.spec, provisioning: undefined, devices: [] };
    const what = `the catalog has no instance type or macro '${from}'`;
    const unknown = errorAt('unknown-instance-type', ['spec', 'from'], what, hintAtInstanceType(from, catalogue));
    return { resource: { ...declared, spec }, findings: [unknown] };
  }
  // Loaded on first use because it loads the schemas.
  const { fillClass } = require('./fill-class') as typeof Fill;
  return fillClass(declared, from, catalogue);
}

function hintAtInstanceType(from: string, catalogue: Catalogue): string {
  const meant = suggestInstanceType(from, catalogue);
  if (meant !== undefined) {
    const sizes = listOtherSizes(from, meant, catalogue);
    return sizes.length > 1 ? `Use one of ${joinNames(sizes)}` : `Use '${meant}'`;
  }
  const begun = listTypesBeginningWith(from, catalogue);
  if (begun.length > 0) return begun.length === 1 ? `Use '${begun[0]}'` : `Use one of ${joinNames(begun)}`;
  const ofGpu = listTypesOfGpu(from, catalogue);
  if (ofGpu.length > 0) return `Use one of ${joinNames(ofGpu)}`;
  return "Run 'fleetwright catalog' for the known names, or add it to the file at Fleet.spec.catalogue";
}

/** The machines that differ from a name in their digits alone, and are as near to it as the one that is probably meant. */
function listOtherSizes(name: string, meant: string, { instanceTypes }: Catalogue): string[] {
  if (!hasOtherDigits(name, meant)) return [];
  const distance = editDistance(name, meant);
  const alike = [...instanceTypes.keys()].filter(
    (one) => hasOtherDigits(name, one) && editDistance(name, one) === distance,
  );
  return sortedNaturally(alike, String);
}
