import type { Gpu, InstanceType, Macro } from '../api/catalogue-file';
import { EKS_INSTANCE_TYPES } from '../catalog/instance-types-eks';
import { GKE_INSTANCE_TYPES } from '../catalog/instance-types-gke';
import { GPUS } from '../catalog/gpus';
import { MACROS } from '../catalog/macros';
import { nearest } from '../nearest';

/** All hardware that is known by name: ours, extended and corrected by the user's. */
export interface Catalogue {
  readonly gpus: ReadonlyMap<string, Gpu>;
  readonly instanceTypes: ReadonlyMap<string, InstanceType>;
  readonly macros: ReadonlyMap<string, Macro>;
}

/** The catalogue that comes with Fleetwright. */
export const OUR_CATALOGUE: Catalogue = {
  gpus: byName(GPUS),
  instanceTypes: byName([...GKE_INSTANCE_TYPES, ...EKS_INSTANCE_TYPES]),
  macros: byName(MACROS),
};

/** The instance types that a name stands for: itself, or the aliases of a macro; nothing for an unknown name. */
export function instanceTypesOf(name: string, { instanceTypes, macros }: Catalogue): InstanceType[] {
  const names = macros.get(name)?.aliases ?? [name];
  return names.flatMap((one) => instanceTypes.get(one) ?? []);
}

/** The name of an instance type or macro that a user probably meant, also where only the cloud is left out. */
export function nameMeant(name: string, { instanceTypes, macros }: Catalogue): string | undefined {
  const known = [...instanceTypes.keys(), ...macros.keys()];
  return known.find((one) => one.split('/')[1] === name) ?? nearest(name, known);
}

function byName<T extends { readonly name: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.name, row]));
}
