import { z } from 'zod';
import { isMap } from '../../base/json';
import { decapitalize, joinNames, pluralize } from '../../base/text';
import { CLUSTERS_BY_NAME } from '../kubernetes-spellings';
import type { Path } from '../resource';
import { exampleOf, itemOf } from './example-value';
import { fieldNamesOf, keywordsInsteadOf, unwrapSchema } from './fields';

/** What a user writes instead of a value of a wrong type. */
export function remedyOfType(schema: unknown, expected: string, input: unknown): string {
  if (input === null) return 'Write the item, or remove it';
  return remedyOfLooks(schema, expected, input) ?? `Write ${describeAllowed(schema, expected)}`;
}

/** What users write in place of a value, by the field. `[]`: an item of a list. */
const MISTAKES: readonly {
  readonly field: RegExp;
  readonly input: (value: unknown) => boolean;
  readonly remedy: string;
}[] = [
  {
    field: /./,
    input: (value) => typeof value === 'string' && /\$\{|\$\(|\{\{/.test(value),
    remedy: 'Variables are not expanded: write the value, or render the file first',
  },
  {
    field: /^spec\.replicas$/,
    input: (value) => typeof value === 'object',
    remedy: "Write a whole number. To scale by load, set 'copies: { min: 1, max: 3 }' of an engine",
  },
  {
    field: /\.containers\[\]\.image$/i,
    input: (value) => typeof value === 'object',
    remedy: "Write repository and tag as one text, as in 'vllm/vllm-openai:v0.23.0'",
  },
  {
    field: /\.copies$/,
    input: (value) => typeof value === 'string' && /\d\D+\d/.test(value),
    remedy: "Write bounds as 'copies: { min: 1, max: 3 }', or a whole number",
  },
  {
    field: /^spec\.rollout$/,
    input: (value) => typeof value === 'string' && /^rolling/i.test(value),
    remedy:
      "Remove it: pods are replaced one after the other by default. To stop all of them first, write 'rollout: Recreate'",
  },
  {
    field: /\.clusterSelector$/,
    input: (value) => typeof value === 'string' || Array.isArray(value),
    remedy: CLUSTERS_BY_NAME,
  },
  {
    field: /\.nodeSelector\.devices$/,
    input: (value) => typeof value === 'object',
    remedy: "Write a list, as in '[{ name: gpu, count: 4, where: { architecture: Hopper } }]'",
  },
  {
    field: /^spec\.(policies|prices|catalogue|models)$/,
    input: (value) => typeof value === 'object',
    remedy: 'Write it into a file of its own, and the path of the file here',
  },
  {
    field: /\.endpoints\[\]\.selector$/,
    input: (value) => typeof value !== 'object',
    remedy: "Write labels, as in '{ matchLabels: { app: chat } }'",
  },
  {
    field: /\.where$/,
    input: (value) => typeof value === 'string' || Array.isArray(value),
    remedy: "Write a map of attributes, as in '{ architecture: Hopper }'",
  },
  {
    field: /\.devices\[\]\.attributes\.[^.]+$/,
    input: (value) => typeof value !== 'object',
    remedy: "Write its type too, as in '{ string: Hopper }', '{ version: 9.0.0 }' or '{ int: 8 }'",
  },
  {
    field: /\.sharedFilesystem$/,
    input: (value) => typeof value === 'string',
    remedy: "Write a map, as in '{ storageClassName: NAME }'",
  },
  {
    field: /\.env$/,
    input: (value) => typeof value === 'object' && !Array.isArray(value),
    remedy: "Write a list, as in '[{ name: NAME, value: VALUE }]'",
  },
  {
    field: /\.cel$/,
    input: (value) => typeof value === 'object',
    remedy: "Write the expression itself, as in 'selectors: [{ cel: EXPRESSION }]'",
  },
  {
    field: /\.apiKeys\[\]$/,
    input: (value) => typeof value === 'string',
    remedy: "Put the key into a Secret, and name that: '{ name: my-app, secretRef: { name: my-keys } }'",
  },
  {
    field: /\.selector\.matchLabels\.weight$/,
    input: (value) => typeof value === 'number',
    remedy: "Move it up, next to 'selector'. Or put it in quotes, if replicas have a label weight",
  },
  {
    field: /\.weight$/,
    input: (value) => typeof value === 'string' && value.trim().endsWith('%'),
    remedy: "Write the number without '%'. The share of an entry is its weight, divided by the sum of all weights",
  },
];

/** What a user writes instead of what is often written in a field by mistake. */
export function remedyOfMistake(path: Path, input: unknown): string | undefined {
  const field = path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[]` : `${text}.${part}`), '');
  return MISTAKES.find((one) => one.field.test(field.slice(1)) && one.input(input))?.remedy;
}

/**
 * What a user adds where a required field is missing: the first sentence of its description, or its type, and an example
 * of an object.
 *
 * @param field the last part of the path: an item of a list has no name
 */
export function remedyOfMissing(schema: unknown, expected: string, field: string | number | undefined): string {
  const inner = exampleOf(schema, String(field));
  const example = typeof field === 'string' ? `${field}: ${inner}` : inner;
  const what = describePurpose(schema);
  if (inner === undefined) return what ?? `Add ${describeAllowed(schema, expected)}`;
  return what === undefined ? `Add it, as in '${example}'` : `${what}, as in '${example}'`;
}

function describePurpose(schema: unknown): string | undefined {
  const description = schema instanceof z.ZodType ? schema.description : undefined;
  const [sentence] = description?.split(/\.(?:\s+(?=[A-Z])|$)/) ?? [];
  if (!sentence) return undefined;
  return ARTICLE.test(sentence) ? `Add ${decapitalize(sentence)}` : `Add it: ${sentence}`;
}

type TooSmall = Pick<z.core.$ZodRawIssue & { code: 'too_small' }, 'input' | 'minimum' | 'inst'>;

/** What users do to go below a minimum, by its check. */
const REMEDIES_BELOW = new WeakMap<object, string>();

/**
 * Creates a check of the least number.
 *
 * @param remedy what a user does to get what a smaller number would mean: `To send no requests, remove the entry`
 */
export function atLeast(minimum: number, remedy: string): z.core.$ZodCheck<number> {
  const check = z.gte(minimum);
  REMEDIES_BELOW.set(check, remedy);
  return check;
}

/** What a user does with a text, a list or a number that is too small. */
export function remedyOfSmall({ input, minimum, inst }: TooSmall): string {
  const remedy = inst && REMEDIES_BELOW.get(inst);
  if (remedy !== undefined) return `Use at least ${minimum}. ${remedy}`;
  if (Array.isArray(input)) return `List at least ${pluralize(minimum, 'item')}`;
  return typeof input === 'string' ? 'Write a text, or remove the field' : `Use at least ${minimum}`;
}

/** What a user does with a text, a list or a number that is too large. */
export function remedyOfLarge(input: unknown, maximum: number | bigint): string {
  if (Array.isArray(input)) return `List at most ${pluralize(maximum, 'item')}`;
  if (typeof input === 'string') return `Shorten it to at most ${pluralize(maximum, 'character')}`;
  return `Use at most ${maximum}`;
}

const ARTICLE = /^(The|A|An|Its) /;

/** The remedy that the value itself suggests: a number or `true` in quotes, a text where a list is expected. */
function remedyOfLooks(schema: unknown, expected: string, input: unknown): string | undefined {
  if (expected === 'array' || expected === 'tuple')
    return Array.isArray(input) ? undefined : remedyOfNoList(schema, input);
  if (typeof input !== 'string') return undefined;
  const word = remedyOfWord(schema, input);
  if (word !== undefined) return word;
  if (expected === 'boolean') return WORDS_OF_BOOLEANS.get(input.trim().toLowerCase());
  if (!NUMERIC.has(expected) || input.trim() === '') return undefined;
  if (Number.isFinite(Number(input))) return 'Remove the quotes';
  return WITH_UNIT.test(input) ? `Write ${describeNumber(schema, expected)}, without a unit` : undefined;
}

function remedyOfNoList(schema: unknown, input: unknown): string {
  if (!isMap(input)) {
    const several = typeof input === 'string' && /[,\s]/.test(input);
    return several ? 'Put its items in square brackets, with commas between them' : 'Put the value in square brackets';
  }
  const element = itemOf(schema);
  const item = element instanceof z.ZodObject ? fieldNamesOf(element) : [];
  if (Object.keys(input).some((key) => item.includes(key))) return "Begin the map with '- ', as an item of a list";
  const example = exampleOf(schema, 'item');
  return example === undefined
    ? "Write a list: begin each item with '- '"
    : `Write a list, as in '${example}', or begin each item with '- '`;
}

const WORDS_OF_BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['true', 'Remove the quotes'],
  ['false', 'Remove the quotes'],
  ...['yes', 'on', 'y', '1'].map((word) => [word, 'Write true'] as const),
  ...['no', 'off', 'n', '0'].map((word) => [word, 'Write false'] as const),
]);

const WITH_UNIT = /^\p{Sc}? ?[\d.,]+ ?[\p{L}\p{Sc}%]*$/u;

const NUMERIC: ReadonlySet<string> = new Set(['number', 'int']);

/** What a schema accepts, with an article: `a whole number from 1 to 16`, `a map with the fields name and value`. */
function describeAllowed(schema: unknown, expected: string): string {
  if (NUMERIC.has(expected)) return describeNumber(schema, expected);
  const words = schema instanceof z.ZodType ? keywordsInsteadOf(schema) : [];
  if (words.length > 0)
    return `${words.map((word) => `'${word}'`).join(' or ')}, or ${describeShape(schema, expected)}`;
  return describeShape(schema, expected);
}

/** A word in place of an object: one that is allowed there, or that a field of it accepts: `{ policy: Spread }`. */
function remedyOfWord(schema: unknown, input: string): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const isWritten = (word: string): boolean => word.toLowerCase() === input.trim().toLowerCase();
  const allowed = keywordsInsteadOf(schema).find(isWritten);
  if (allowed !== undefined) return `Use '${allowed}'`;
  for (const [field, inner] of Object.entries(schema.shape)) {
    const choice = unwrapSchema(inner);
    const words = choice instanceof z.ZodEnum ? choice.options.map(String) : [];
    const meant = words.find(isWritten);
    if (meant !== undefined) return `Write '{ ${field}: ${meant} }'`;
  }
  return undefined;
}

function describeShape(schema: unknown, expected: string): string {
  const example = exampleOf(schema, 'value');
  if (example !== undefined && schema instanceof z.ZodObject) return `a map, as in '${example}'`;
  const names = schema instanceof z.ZodObject ? fieldNamesOf(schema) : [];
  const [only] = names;
  if (names.length === 1) return `a map, as in '{ ${only}: ... }'`;
  if (names.length > 0) return `a map with the fields ${joinNames(names)}`;
  return ALLOWED_BY_TYPE[expected] ?? 'a value of that type';
}

const ALLOWED_BY_TYPE: Readonly<Record<string, string>> = {
  string: 'a single text',
  boolean: 'true or false',
  array: 'a list',
  object: "a map, as in '{ key: value }'",
  record: "a map, as in '{ key: value }'",
};

function describeNumber(schema: unknown, expected: string): string {
  const { minValue = null, maxValue = null, format = null } = schema instanceof z.ZodNumber ? schema : {};
  const noun = expected === 'int' || format === 'safeint' ? 'a whole number' : 'a number';
  const [least, most] = [limitOf(minValue), limitOf(maxValue)];
  if (least !== undefined && most !== undefined) return `${noun} from ${least} to ${most}`;
  if (least !== undefined) return `${noun} of at least ${least}`;
  return most === undefined ? noun : `${noun} of at most ${most}`;
}

/** A bound that a schema declares. The bounds of all numbers in JavaScript are not one. */
function limitOf(value: number | null): number | undefined {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
}
