import { Environment } from 'cel-js';
import { COMPREHENSIONS } from './comprehensions';
import { Device, DomainMap } from './device';
import { fallbacks } from './fallbacks';
import { Kept } from './kept';
import { BINDINGS } from './bindings';
import { CONVERSIONS } from './library-conversions';
import { equals } from './equality';
import { EQUALITIES, LIST_ATTRIBUTES, QUANTITIES, VERSIONS } from './library-kubernetes';
import { LISTS, ListsNamespace, MIXED_SETS, SetsNamespace } from './library-lists';
import { TEXT } from './library-text';
import { PRESENCE } from './presence';
import { Quantity } from './quantity';
import { Semver } from './semver';

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
  made.registerType('kubernetes.Quantity', { ctor: Quantity, fields: {} });
  made.registerType('kubernetes.Semver', { ctor: Semver, fields: {} });
  made.registerType('ListsNamespace', { ctor: ListsNamespace, fields: {} });
  made.registerType('SetsNamespace', { ctor: SetsNamespace, fields: {} });
  made.registerConstant('lists', 'ListsNamespace', new ListsNamespace());
  made.registerConstant('sets', 'SetsNamespace', new SetsNamespace());
  const libraries = [QUANTITIES, VERSIONS, CONVERSIONS, TEXT, LISTS, listAttributes ? LIST_ATTRIBUTES : {}];
  const functions = [
    ...libraries.flatMap((library) => Object.entries(library)),
    ...COMPREHENSIONS,
    ...PRESENCE,
    ...BINDINGS,
    ...fallbacks(dynamic),
  ];
  for (const [signature, handler] of functions) made.registerFunction(signature, handler, { async: false });
  for (const signature of EQUALITIES) made.registerOperator(signature, equals);
  return made;
}
