import { Environment, type RegisteredFunctionHandler } from 'cel-js';
import { Interner } from '../base/interning';
import { FUNCTION_NAMESPACES } from './cel-go-compat/rename-overridden-calls';
import type { ExpandMacro } from './cel-js-internals';
import { DeviceVariable, DomainMap } from './device';
import { CONVERSION_FUNCTIONS } from './library/conversions';
import { KUBERNETES_FUNCTIONS, LIST_ATTRIBUTE_FUNCTIONS } from './library/kubernetes-types';
import { LIST_FUNCTIONS, MIXED_SET_FUNCTIONS } from './library/lists';
import { STRING_FUNCTIONS } from './library/strings';
import { BIND_MACROS } from './macros/bind';
import { createComprehensions } from './macros/comprehensions';
import { createPresenceMacros } from './macros/has-and-optionals';
import { equals } from './values/comparison';
import { CelIpAddress, IpPrefix } from './values/ip-address';
import { NamedFormat } from './values/named-formats';
import { Quantity } from './values/quantity';
import { Semver } from './values/semver';
import { Url } from './values/url';

/** The features of selectors that a version of Kubernetes supports with its feature gates. */
export interface SelectorFeatures {
  /** `includes()` on attributes, gate `DRAListTypeAttributes`. Default: true. */
  readonly listAttributes?: boolean;

  /** `device.allowMultipleAllocations`, gate `DRAConsumableCapacity`. Default: true. */
  readonly consumableCapacity?: boolean;
}

const MAX_ELEMENTS = 10_240;
const DOMAINS = 'kubernetes.DomainMap';
const DEVICE = 'kubernetes.DRADevice';

const TYPES = {
  'kubernetes.Quantity': Quantity,
  'kubernetes.Semver': Semver,
  'net.IP': CelIpAddress,
  'net.CIDR': IpPrefix,
  'kubernetes.URL': Url,
  'kubernetes.NamedFormat': NamedFormat,
};

const FUNCTIONS = { ...KUBERNETES_FUNCTIONS, ...CONVERSION_FUNCTIONS, ...STRING_FUNCTIONS, ...LIST_FUNCTIONS };

const typedEnvironments = new Interner<Environment>();
let runEnvironment: Environment | undefined;

/** Returns the environment that knows the type of every device field. It is for checking only. */
export function getTypedEnvironment({
  listAttributes = true,
  consumableCapacity = true,
}: SelectorFeatures): Environment {
  return typedEnvironments.intern(`${listAttributes} ${consumableCapacity}`, () =>
    createTypedEnvironment(listAttributes, consumableCapacity),
  );
}

function createTypedEnvironment(listAttributes: boolean, consumableCapacity: boolean): Environment {
  const environment = createEnvironment(listAttributes, false);
  environment.registerType(DEVICE, {
    ctor: DeviceVariable,
    fields: {
      driver: 'string',
      attributes: 'map<string, map<string, dyn>>',
      capacity: 'map<string, map<string, kubernetes.Quantity>>',
      ...(consumableCapacity && { allowMultipleAllocations: 'bool' }),
    },
  });
  environment.registerVariable('device', DEVICE);
  return environment;
}

/**
 * Returns the environment that evaluates expressions. Device maps have a dedicated type, in which an unknown domain
 * reads as an empty map. The map type of the library cannot distinguish unknown domains from existing domains.
 */
export function getRunEnvironment(): Environment {
  return (runEnvironment ??= createRunEnvironment());
}

function createRunEnvironment(): Environment {
  const environment = createEnvironment(true, true);
  environment.registerType(DOMAINS, DomainMap);
  environment.registerOperator(`string in ${DOMAINS}`, (domain: string, map: DomainMap) => map.has(domain));
  registerFunctions(environment, {
    ...MIXED_SET_FUNCTIONS,
    [`size(${DOMAINS}): int`]: (map: DomainMap) => BigInt(map.size),
    [`${DOMAINS}.size(): int`]: (map: DomainMap) => BigInt(map.size),
  });
  environment.registerType(DEVICE, {
    ctor: DeviceVariable,
    fields: { driver: 'string', attributes: 'dyn', capacity: 'dyn', allowMultipleAllocations: 'bool' },
  });
  environment.registerVariable('device', DEVICE);
  return environment;
}

/** Creates an environment with all types and functions of DRA, but without the device. */
function createEnvironment(listAttributes: boolean, dynamic: boolean): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    // A later check compares the types of elements: the library does not treat equivalent types as equal.
    homogeneousAggregateLiterals: false,
    limits: { maxListElements: MAX_ELEMENTS, maxMapEntries: MAX_ELEMENTS },
  });
  for (const [name, ctor] of Object.entries(TYPES)) environment.registerType(name, { ctor, fields: {} });
  for (const [name, { ctor: Variable }] of FUNCTION_NAMESPACES) {
    environment.registerType(`${name}Namespace`, { ctor: Variable, fields: {} });
    environment.registerConstant(name, `${name}Namespace`, new Variable());
  }
  registerFunctions(environment, {
    ...FUNCTIONS,
    ...(listAttributes && LIST_ATTRIBUTE_FUNCTIONS),
    ...createComprehensions(dynamic),
    ...BIND_MACROS,
    ...createPresenceMacros(dynamic),
  });
  for (const type of [...Object.keys(TYPES), 'optional<dyn>']) {
    for (const other of [type, 'null']) environment.registerOperator(`${type} == ${other}`, equals);
  }
  return environment;
}

function registerFunctions(
  environment: Environment,
  functions: Readonly<Record<string, RegisteredFunctionHandler | ExpandMacro>>,
): void {
  for (const [name, handler] of Object.entries(functions))
    environment.registerFunction(name, handler, { async: false });
}
