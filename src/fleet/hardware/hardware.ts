import { containsWords, suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { GPUS } from '../../catalog/gpus';
import { INSTANCE_TYPE_MACROS } from '../../catalog/instance-type-macros';
import { AKS_INSTANCE_TYPES } from '../../catalog/instance-types-aks';
import { EKS_INSTANCE_TYPES } from '../../catalog/instance-types-eks';
import { GKE_INSTANCE_TYPES } from '../../catalog/instance-types-gke';
import {
  COREWEAVE_INSTANCE_TYPES,
  LAMBDA_INSTANCE_TYPES,
  NEBIUS_INSTANCE_TYPES,
  OCI_INSTANCE_TYPES,
  VULTR_INSTANCE_TYPES,
} from '../../catalog/instance-types-others';
import type { Gpu, HardwareMacro, InstanceType } from '../../catalog/row-types';
import { LIST_PRICES, type PriceBook } from '../prices/price-book';

/** All hardware known by name: the built-in rows, extended and overridden by those of the user. */
export interface Catalogue {
  readonly gpus: ReadonlyMap<string, Gpu>;
  readonly instanceTypes: ReadonlyMap<string, InstanceType>;
  readonly macros: ReadonlyMap<string, HardwareMacro>;
}

/** The catalog that comes with Fleetwright. */
export const BUILT_IN_CATALOGUE: Catalogue = {
  gpus: indexByName(GPUS),
  instanceTypes: indexByName([
    ...GKE_INSTANCE_TYPES,
    ...EKS_INSTANCE_TYPES,
    ...AKS_INSTANCE_TYPES,
    ...NEBIUS_INSTANCE_TYPES,
    ...VULTR_INSTANCE_TYPES,
    ...COREWEAVE_INSTANCE_TYPES,
    ...LAMBDA_INSTANCE_TYPES,
    ...OCI_INSTANCE_TYPES,
  ]),
  macros: indexByName(INSTANCE_TYPE_MACROS),
};

/** Resolves the name of an instance type or of a macro to instance types. Empty for an unknown name. */
export function resolveInstanceTypes(name: string, { instanceTypes, macros }: Catalogue): InstanceType[] {
  const names = macros.get(name)?.aliases ?? [name];
  return names.flatMap((one) => instanceTypes.get(one) ?? []);
}

function nameOf(type: string): string {
  return type.slice(type.indexOf('/') + 1);
}

/** A name without its cloud is less to go by. */
const MAX_TYPOS = 2;

/** Suggests the name of an instance type or macro for an unknown name, also if only the cloud prefix is missing. */
export function suggestInstanceType(name: string, { instanceTypes, macros }: Catalogue): string | undefined {
  const known = [...instanceTypes.keys(), ...macros.keys()];
  const near = suggestName(name, known);
  if (near !== undefined || name.includes('/')) return near;
  const meant = suggestName(name, known.map(nameOf), MAX_TYPOS);
  return known.find((one) => nameOf(one) === name || nameOf(one) === meant);
}

/** The instance types with a name that is cut short: `aws/p5.48xl`. None where not even the series is named. */
export function listTypesBeginningWith(name: string, { instanceTypes }: Catalogue): string[] {
  if (!/^[a-z]+\/.*[.-]/.test(name)) return [];
  return [...instanceTypes.keys()].filter((one) => one.startsWith(name)).sort();
}

/** Other prefixes that users write for the clouds of instance types. */
const CLOUD_PREFIXES: Readonly<Record<string, string>> = {
  gke: 'gcp',
  google: 'gcp',
  eks: 'aws',
  amazon: 'aws',
  aks: 'azure',
  microsoft: 'azure',
  cks: 'coreweave',
  oke: 'oci',
  oracle: 'oci',
};

/** The macros and instance types with the GPU that a name is of: `h100`, `gcp/h100`. Only of the cloud it names. */
export function listTypesOfGpu(name: string, { instanceTypes, macros }: Catalogue): string[] {
  const [gpu = '', cloud] = name.toLowerCase().split('/').reverse();
  const prefix = cloud === undefined ? '' : `${CLOUD_PREFIXES[cloud] ?? cloud}/`;
  const own = [...instanceTypes.values()].filter(
    (type) => type.name.startsWith(prefix) && containsWords(type.gpu, gpu),
  );
  const types = sortUnique(own.map((type) => type.name));
  const shared = [...macros.values()].filter(({ aliases }) => aliases.some((alias) => types.includes(alias)));
  return [...(prefix === '' ? shared.map((macro) => macro.name) : []), ...types];
}

function indexByName<T extends { readonly name: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.name, row]));
}

/** The catalog and the prices of hardware. */
export interface Hardware {
  readonly catalogue: Catalogue;
  readonly prices: PriceBook;
}

/** The catalog and the list prices that come with Fleetwright. */
export const BUILT_IN_HARDWARE: Hardware = { catalogue: BUILT_IN_CATALOGUE, prices: LIST_PRICES };
