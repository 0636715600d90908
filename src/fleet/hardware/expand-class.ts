import type { DeclaredClass, InferenceClass } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type * as Fill from './fill-class';
import { type Catalogue, resolveInstanceTypes, suggestInstanceType } from './hardware';

/** A class with its hardware filled in, and what is wrong with what it says of it. */
export interface ExpandedClass {
  readonly resource: InferenceClass;
  readonly findings: readonly Diagnostic<Path>[];
}

/**
 * Fills in the hardware that a class takes from the catalogue; what the class says itself wins, field by field.
 * A class without `from` stays as it is.
 */
export function expandClass(declared: DeclaredClass, catalogue: Catalogue): ExpandedClass {
  const { from } = declared.spec;
  // Without `from` the schema has seen to it that all is there.
  if (from === undefined) return { resource: declared as InferenceClass, findings: [] };
  if (resolveInstanceTypes(from, catalogue).length === 0) {
    const spec = { ...declared.spec, provisioning: undefined, devices: [] };
    return { resource: { ...declared, spec }, findings: [describeUnknownType(from, catalogue)] };
  }
  // Loaded on first use: it needs schemas.
  const { fillClass } = require('./fill-class') as typeof Fill;
  return fillClass(declared, from, catalogue);
}

function describeUnknownType(from: string, catalogue: Catalogue): Diagnostic<Path> {
  const meant = suggestInstanceType(from, catalogue);
  return errorAt(
    'unknown-instance-type',
    ['spec', 'from'],
    `the catalogue has no instance type or macro '${from}'`,
    meant
      ? `Use '${meant}'`
      : "See 'fleetwright catalog' for what it has, or add it in the file that Fleet.spec.catalogue names",
  );
}
