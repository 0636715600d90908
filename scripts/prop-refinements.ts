import { objectKindAt } from '../constructs/object-reference';
import { CACHE_SOURCE_BLOCK } from '../src/api/cache/source';
import { PROVIDER_BLOCK, SOURCE_BLOCK } from '../src/api/cloud-providers';
import { DEVICE_CLASSES } from '../src/catalog/device-classes';
import { DRIVERS } from '../src/catalog/drivers';
import { REGIONS } from '../src/catalog/regions';
import { BUILT_IN_CATALOGUE } from '../src/fleet/hardware/hardware';

// What the types of props say beyond the schemas: which names are known, and which field decides which block is
// set.

/** A field that decides which block is set, and the blocks by its values. */
interface BlockChoice {
  readonly field: string;
  readonly blocks: Readonly<Record<string, string>>;

  /** Whether the field and its block may be left out. */
  readonly optional?: true;
}

/** The types in which a field decides which block is set. */
const BLOCK_CHOICES: Readonly<Record<string, BlockChoice>> = {
  ClusterSource: { field: 'source', blocks: SOURCE_BLOCK },
  ModelCacheProps: { field: 'source', blocks: CACHE_SOURCE_BLOCK },
  Provisioning: { field: 'provider', blocks: PROVIDER_BLOCK, optional: true },
};

/** The union for a type in which a field decides which block is set, and the name for the interface of all fields. */
export function unionOf(name: string): { readonly fields: string; readonly type: string } | undefined {
  const choice = BLOCK_CHOICES[name];
  if (!choice) return undefined;
  const fields = `${name.replace(/Props$/, '')}Fields`;
  const blocks = Object.entries(choice.blocks).map(([value, block]) => `${value}: '${block}'`);
  const generic = choice.optional ? 'AtMostOneBlock' : 'OneBlock';
  return { fields, type: `${generic}<${fields}, '${choice.field}', { ${blocks.join('; ')} }>` };
}

/** The name, without its extension, of the file with known names. */
export const KNOWN_NAMES_FILE = 'known-names';

interface KnownNames {
  readonly type: string;
  readonly words: string;
  readonly names: readonly string[];

  /** The fields that take them, by their interface. Other names can be as valid. */
  readonly fields: readonly string[];
}

function regionsOf(provider: string): string[] {
  return REGIONS.filter((row) => row.provider === provider).flatMap(({ regions }) => regions);
}

const KNOWN_NAMES: readonly KnownNames[] = [
  {
    type: 'KnownInstanceType',
    words: 'Instance types and macros of the catalog.',
    names: [...BUILT_IN_CATALOGUE.macros.keys(), ...BUILT_IN_CATALOGUE.instanceTypes.keys()],
    fields: ['InferenceClassProps from'],
  },
  {
    type: 'KnownGkeRegion',
    words: 'Regions of GKE.',
    names: regionsOf('GKE'),
    fields: ['GkeCluster region'],
  },
  {
    type: 'KnownAwsRegion',
    words: 'Regions of AWS.',
    names: regionsOf('EKS'),
    fields: ['EksCluster region', 'S3Source region'],
  },
  {
    type: 'KnownAzureRegion',
    words: 'Regions of Azure.',
    names: regionsOf('AKS'),
    fields: ['AksCluster location'],
  },
  {
    type: 'KnownDeviceClass',
    words: 'The DeviceClasses of DRA drivers in the catalog.',
    names: DEVICE_CLASSES.map(({ name }) => name),
    fields: ['Device deviceClassName'],
  },
  {
    type: 'KnownDriver',
    words: 'The DRA drivers in the catalog.',
    names: DRIVERS.map(({ name }) => name),
    fields: ['Device driver'],
  },
];

/** The declarations of the types of known names. */
export function knownNamesFile(): string[] {
  return KNOWN_NAMES.map(({ type, words, names }) => {
    const values = [...new Set(names)].sort().map((name) => `'${name}'`);
    return `/** ${words} */\nexport type ${type} = ${values.join(' | ')};`;
  });
}

/** The type of a field that takes more, or says more, than its schema. Undefined for other fields. */
export function refinedType(holder: string, path: string): string | undefined {
  const field = `${holder} ${/\w+(?=\W*$)/.exec(path)?.[0] ?? ''}`;
  if (objectKindAt(path) !== undefined) return 'ObjectReference | string';
  const known = KNOWN_NAMES.find(({ fields }) => fields.includes(field));
  return known && `${known.type} | (string & {})`;
}
