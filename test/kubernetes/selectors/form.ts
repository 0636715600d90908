/**
 * The types that expressions are made for. `any` is an attribute, of whose type the compiler knows nothing; `ipText` and
 * so on are texts that a function may read.
 */
export type Type =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'quantity'
  | 'semver'
  | 'ip'
  | 'cidr'
  | 'url'
  | 'format'
  | 'ipText'
  | 'cidrText'
  | 'urlText'
  | 'nameText'
  | 'template'
  | 'written'
  | 'ints'
  | 'strings'
  | 'map'
  | 'optional'
  | 'any';

/** How expressions of a type are written: alone, and from parts. `<type>` is a part, `#type` a new variable. */
export interface Forms {
  readonly simple: readonly string[];
  readonly composed: readonly string[];
}

/** The attributes and the capacities of a device, by the domain of its driver. */
export const D = 'device.attributes["gpu.nvidia.com"]';
export const C = 'device.capacity["gpu.nvidia.com"]';
