import { C, D, type Forms } from './form';

/** Texts, and what is made from them. */
export const STRING: Forms = {
  simple: [
    '"a"',
    '"abc"',
    "'Hopper'",
    '""',
    '"NVIDIA H100 80GB HBM3"',
    '"1.2.3"',
    '"v1.2"',
    '"10Gi"',
    'r"\\d+"',
    '"""x\\ny"""',
    '"\\u00fc"',
    '"🚀"',
    'device.driver',
  ],
  composed: [
    '(<string>) + (<string>)',
    '<bool> ? <string> : <string>',
    'string(<int>)',
    'string(<bool>)',
    'string(<double>)',
    'string(<uint>)',
    '<strings>[0]',
    '<string>.lowerAscii()',
    '<string>.upperAscii()',
    '<string>.trim()',
    '<string>.charAt(<int>)',
    '<string>.substring(<int>)',
    '<string>.substring(<int>, <int>)',
    '<string>.replace(<string>, <string>)',
    '<string>.replace(<string>, <string>, <int>)',
    '<strings>.join()',
    '<strings>.join(<string>)',
    '<string>.find("[0-9]+")',
    `${D}.?family.orValue(<string>)`,
    '<strings>.min()',
    '<strings>.max()',
    'string(<ip>)',
    'string(<cidr>)',
    '<url>.getHost()',
    '<written>',
    'string(<any>)',
    'cel.bind(#string, <string>, <string>)',
  ],
};

export const QUANTITY: Forms = {
  simple: [
    `${C}.memory`,
    `${C}.cache`,
    `${C}.slots`,
    'quantity("40Gi")',
    'quantity("0")',
    'quantity("1500m")',
    'quantity("-2k")',
    'quantity("1E")',
    'quantity("1Pi")',
    'quantity("8Ei")',
    'quantity("0.5Gi")',
    `${C}.nothing`,
  ],
  composed: [
    '<quantity>.add(<quantity>)',
    '<quantity>.sub(<quantity>)',
    '<quantity>.add(<int>)',
    '[<quantity>, <quantity>].map(#quantity, <quantity>)[0]',
    'cel.bind(#quantity, <quantity>, <quantity>)',
    '<quantity>.sub(<int>)',
    'quantity(<string>)',
    `${C}["memory"]`,
    `device.capacity[device.driver].memory`,
    '<bool> ? <quantity> : <quantity>',
  ],
};

export const SEMVER: Forms = {
  simple: [
    'semver("1.2.3")',
    'semver("0.0.1-alpha.1")',
    'semver("9.0.0+b")',
    'semver("v1.2", true)',
    'semver("550.90.7-rc.1")',
  ],
  composed: ['semver(<string>)', 'semver(<string>, <bool>)', '<bool> ? <semver> : <semver>'],
};

const NAMES = [
  'name',
  'family',
  'version',
  'release',
  'index',
  'wide',
  'mig',
  'healthy',
  'links',
  'lanes',
  'flags',
  'stages',
  'nothing',
];

export const ANY: Forms = {
  simple: [
    ...NAMES.map((name) => `${D}.${name}`),
    `${D}["family"]`,
    'device.attributes["resource.kubernetes.io"].pcieRoot',
    'device.attributes["nowhere.example.com"].family',
    'device.attributes[device.driver].family',
  ],
  composed: [
    `${D}[<string>]`,
    '<bool> ? <any> : <any>',
    `${D}.?family.orValue(<any>)`,
    'dyn(<int>)',
    '<any>[<int>]',
    `cel.bind(#map, {"a": 1}, <any>)`,
  ],
};
