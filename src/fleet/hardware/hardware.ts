import { suggestName } from '../../base/name-suggestion';
import { GPUS } from '../../catalog/gpus';
import { INSTANCE_TYPE_MACROS } from '../../catalog/instance-type-macros';
import { EKS_INSTANCE_TYPES } from '../../catalog/instance-types-eks';
import { GKE_INSTANCE_TYPES } from '../../catalog/instance-types-gke';
import type { Gpu, HardwareMacro, InstanceType } from '../../catalog/row-types';
import { LIST_PRICES, type PriceBook } from '../prices/price-book';

/** All hardware that is known by name: ours, extended and corrected by the user's. */
export interface Catalogue {
  readonly gpus: ReadonlyMap<string, Gpu>;
  readonly instanceTypes: ReadonlyMap<string, InstanceType>;
  readonly macros: ReadonlyMap<string, HardwareMacro>;
}

/** The catalogue that comes with Fleetwright. */
export const BUILT_IN_CATALOGUE: Catalogue = {
  gpus: indexByName(GPUS),
  instanceTypes: indexByName([...GKE_INSTANCE_TYPES, ...EKS_INSTANCE_TYPES]),
  macros: indexByName(INSTANCE_TYPE_MACROS),
};

/** The instance types that a name stands for: itself, or the aliases of a macro; nothing for an unknown name. */
export function resolveInstanceTypes(name: string, { instanceTypes, macros }: Catalogue): InstanceType[] {
  const names = macros.get(name)?.aliases ?? [name];
  return names.flatMap((one) => instanceTypes.get(one) ?? []);
}

/** The name of an instance type or macro that a user probably meant, also where only the cloud is left out. */
export function suggestInstanceType(name: string, { instanceTypes, macros }: Catalogue): string | undefined {
  const known = [...instanceTypes.keys(), ...macros.keys()];
  return known.find((one) => one.split('/')[1] === name) ?? suggestName(name, known);
}

function indexByName<T extends { readonly name: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.name, row]));
}

/** What is known of hardware and its prices beside what classes say. */
export interface Hardware {
  readonly catalogue: Catalogue;
  readonly prices: PriceBook;
}

/** What comes with Fleetwright. */
export const BUILT_IN_HARDWARE: Hardware = { catalogue: BUILT_IN_CATALOGUE, prices: LIST_PRICES };
