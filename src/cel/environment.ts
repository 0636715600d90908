import { Environment } from 'cel-js';
import { Address } from './address';
import { BINDINGS } from './bindings';
import { comprehensions } from './comprehensions';
import { Device, DomainMap } from './device';
import { equals } from './equality';
import { fallbacks } from './fallbacks';
import { Kept } from './kept';
import { ADDRESSES } from './library-addresses';
import { CONVERSIONS } from './library-conversions';
import { FORMATS, WRITING } from './library-formats';
import { EQUALITIES, LIST_ATTRIBUTES, QUANTITIES, VERSIONS } from './library-kubernetes';
import { LISTS, MIXED_SETS } from './library-lists';
import { TEXT } from './library-text';
import { URLS } from './library-urls';
import { NamedFormat } from './named-format';
import { NAMESPACES } from './namespaces';
import { Network } from './network';
import { PRESENCE } from './presence';
import { Quantity } from './quantity';
import { Semver } from './semver';
import { Url } from './url';

/** What a version of Kubernetes, with its feature gates, lets selectors use. */
export interface Features {
  /** `includes()` on attributes, gate `DRAListTypeAttributes`. Default: true. */
  readonly listAttributes?: boolean;

  /** `device.allowMultipleAllocations`, gate `DRAConsumableCapacity`. Default: true. */
  readonly consumableCapacity?: boolean;
}

const MOST_ELEMENTS = 10_240;
const DOMAINS = 'kubernetes.DomainMap';
const DEVICE = 'kubernetes.DRADevice';

/** The types of Kubernetes' libraries. */
const TYPES: readonly (readonly [string, new (...args: never[]) => object])[] = [
  ['kubernetes.Quantity', Quantity],
  ['kubernetes.Semver', Semver],
  ['net.IP', Address],
  ['net.CIDR', Network],
  ['kubernetes.URL', Url],
  ['kubernetes.NamedFormat', NamedFormat],
];

const LIBRARIES = [QUANTITIES, VERSIONS, ADDRESSES, URLS, FORMATS, WRITING, CONVERSIONS, TEXT, LISTS];

const typed = new Kept<Environment>(4);
const untyped = new Kept<Environment>(1);

/** The environment that knows the type of every field of a device. It checks expressions, and runs none. */
export function typedEnvironment({
  listAttributes = true,
  consumableCapacity = true,
}: Features): Environment {
  return typed.get(`${listAttributes} ${consumableCapacity}`, () =>
    makeTyped(listAttributes, consumableCapacity),
  );
}

function makeTyped(listAttributes: boolean, consumableCapacity: boolean): Environment {
  const made = environment(listAttributes, false);
  made.registerType(DEVICE, {
    ctor: Device,
    fields: {
      driver: 'string',
      attributes: 'map<string, map<string, dyn>>',
      capacity: 'map<string, map<string, kubernetes.Quantity>>',
      ...(consumableCapacity && { allowMultipleAllocations: 'bool' }),
    },
  });
  made.registerVariable('device', DEVICE);
  return made;
}

/**
 * The environment that runs expressions. It sees the maps of a device as a type of its own, whose unknown domains
 * are empty maps; the library's map type could not tell those from domains that are there.
 */
export function runEnvironment(): Environment {
  return untyped.get('', makeUntyped);
}

function makeUntyped(): Environment {
  const made = environment(true, true);
  made.registerType(DOMAINS, DomainMap);
  made.registerOperator(`string in ${DOMAINS}`, (domain: string, map: DomainMap) => map.has(domain));
  for (const [signature, handler] of Object.entries(MIXED_SETS)) {
    made.registerFunction(signature, handler, { async: false });
  }
  made.registerFunction(`size(${DOMAINS}): int`, (map: DomainMap) => BigInt(map.size), { async: false });
  made.registerFunction(`${DOMAINS}.size(): int`, (map: DomainMap) => BigInt(map.size), { async: false });
  made.registerType(DEVICE, {
    ctor: Device,
    fields: { driver: 'string', attributes: 'dyn', capacity: 'dyn', allowMultipleAllocations: 'bool' },
  });
  made.registerVariable('device', DEVICE);
  return made;
}

/** What both have in common: all types and functions of DRA but for the device. */
function environment(listAttributes: boolean, dynamic: boolean): Environment {
  const made = new Environment({
    enableOptionalTypes: true,
    // The types of elements are checked later: the library takes none for another.
    homogeneousAggregateLiterals: false,
    limits: { maxListElements: MOST_ELEMENTS, maxMapEntries: MOST_ELEMENTS },
  });
  for (const [name, ctor] of TYPES) made.registerType(name, { ctor, fields: {} });
  for (const [name, { ctor: Variable }] of NAMESPACES) {
    made.registerType(`${name}Namespace`, { ctor: Variable, fields: {} });
    made.registerConstant(name, `${name}Namespace`, new Variable());
  }
  const libraries = listAttributes ? [...LIBRARIES, LIST_ATTRIBUTES] : LIBRARIES;
  const functions = [
    ...libraries.flatMap((library) => Object.entries(library)),
    ...comprehensions(dynamic),
    ...PRESENCE,
    ...BINDINGS,
    ...fallbacks(dynamic),
  ];
  for (const [signature, handler] of functions) made.registerFunction(signature, handler, { async: false });
  for (const signature of EQUALITIES) made.registerOperator(signature, equals);
  return made;
}
