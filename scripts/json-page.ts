// docs/reference/json.md: the fields of the documents for machines, from their schemas.
import { readFileSync } from 'node:fs';
import { cell } from './docs-page';
import { OUTPUT_DOCUMENTS } from './output-documents';

/** What the page reads of a JSON Schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

type Definitions = Readonly<Record<string, Schema>>;

function readOutputSchema(name: string): Schema {
  return JSON.parse(readFileSync(`schema/${name}.json`, 'utf8')) as Schema;
}

export function jsonPage(): string {
  const schemas = Object.keys(OUTPUT_DOCUMENTS).map((name) => [name, readOutputSchema(name)] as const);
  const types: Definitions = Object.assign({}, ...schemas.map(([, { $defs }]) => $defs)) as Definitions;
  const shown = Object.keys(types)
    .filter((name) => hasSection(types[name]))
    .sort();
  return `${[
    '# Fields of JSON documents',
    'Every field of the documents that have a JSON Schema, and of the types in them. [JSON output](../json.md) says which command prints which document. `npm run generate` writes this page.',
    'A field that is not `optional` is always there. Numbers of replicas, nodes and devices are integers.',
    ...schemas.flatMap(([name, schema]) => documentSection(name, schema, types)),
    '## Types',
    ...shown.flatMap((name) => typeSection(name, types)),
  ].join('\n\n')}\n`;
}

function documentSection(name: string, schema: Schema, types: Definitions): string[] {
  const kind = String(schema.properties?.kind?.const);
  return [
    `## ${kind} document`,
    `From ${OUTPUT_DOCUMENTS[name]?.from}. The schema is [schema/${name}.json](../../schema/${name}.json).`,
    tableOf([schema], types),
  ];
}

function typeSection(name: string, types: Definitions): string[] {
  const type = types[name] as Schema;
  const objects = objectsOf(type, types);
  const others = (type.anyOf ?? []).filter((one) => one.properties === undefined && one.$ref === undefined);
  const also = others.length > 0 ? [`Or ${others.map((one) => typeOf(one, types)).join(' or ')}.`] : [];
  return [`### ${name}`, ...(type.description ? [cell(type.description)] : []), ...also, tableOf(objects, types)];
}

/** A type has a section where it has fields; others are written where they are used. */
function hasSection(type: Schema | undefined): boolean {
  if (type === undefined || type.$ref !== undefined) return false;
  return type.properties !== undefined || (type.anyOf ?? []).some(({ properties }) => properties !== undefined);
}

/** The objects that a value can be: itself, or the members of a union. */
function objectsOf(type: Schema, types: Definitions): Schema[] {
  if (type.$ref !== undefined) return objectsOf(types[nameOf(type.$ref)] as Schema, types);
  return type.properties === undefined ? (type.anyOf ?? []).flatMap((one) => objectsOf(one, types)) : [type];
}

/** With several objects, the fields that all have come first, then the others below what tells an object from the rest. */
function tableOf(objects: readonly Schema[], types: Definitions): string {
  const [first = {}, ...others] = objects;
  const isCommon = (name: string): boolean =>
    others.every(({ properties }) => isSame(properties?.[name], first.properties?.[name]));
  const own = others.length === 0 ? [] : objects.flatMap((object) => variantRows(object, isCommon, types));
  const rows = [...rowsOf(withFields(first, isCommon), '', types), ...own];
  return ['| field | type | description |', '|---|---|---|', ...rows].join('\n');
}

function variantRows(object: Schema, isCommon: (name: string) => boolean, types: Definitions): string[] {
  const fields = Object.entries(object.properties ?? {});
  const marks = fields
    .filter(([, { const: value }]) => typeof value === 'string')
    .sort(([a], [b]) => rank(a) - rank(b));
  const when = marks.map(([name, { const: value }]) => `\`${name}\` is \`${String(value)}\``).join(', ');
  const notes = marks.flatMap(([, { description }]) => (description ? [cell(description)] : []));
  const names = new Set(marks.map(([name]) => name));
  const rest = withFields(object, (name) => !names.has(name) && !isCommon(name));
  return [`| **${when}** | | ${notes.join(' ')} |`, ...rowsOf(rest, '', types)];
}

/** A `misfit` is one of its `filter`. */
function rank(mark: string): number {
  return mark === 'misfit' ? 1 : 0;
}

function withFields(object: Schema, has: (name: string) => boolean): Schema {
  const fields = Object.entries(object.properties ?? {}).filter(([name]) => has(name));
  return { ...object, properties: Object.fromEntries(fields) };
}

function isSame(one: Schema | undefined, other: Schema | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of an object, and below each the fields of an object that has no name of its own. */
function rowsOf(object: Schema, path: string, types: Definitions): string[] {
  const required = new Set(object.required ?? []);
  return Object.entries(object.properties ?? {}).flatMap(([name, field]) => {
    const whole = `${path}${name}`;
    const optional = required.has(name) ? '' : ', optional';
    const description = field.description ?? '';
    const row = `| \`${whole}\` | ${typeOf(field, types)}${optional} | ${cell(description)} |`;
    const inner = field.items ?? field;
    return [row, ...rowsOf(inner, `${whole}${field.items ? '[]' : ''}.`, types)];
  });
}

function typeOf(type: Schema, types: Definitions): string {
  if (type.$ref !== undefined) return referenceTo(nameOf(type.$ref), types);
  if (type.const !== undefined) return code(type.const);
  if (type.enum !== undefined) return type.enum.map(code).join(', ');
  if (type.anyOf !== undefined) return type.anyOf.map((one) => typeOf(one, types)).join(' or ');
  if (type.type === 'array') return type.items === undefined ? 'list' : `list of ${typeOf(type.items, types)}`;
  if (typeof type.additionalProperties === 'object') return `map of ${typeOf(type.additionalProperties, types)}`;
  return [type.type ?? 'anything'].flat().map(wordOf).join(' or ');
}

function referenceTo(name: string, types: Definitions): string {
  if (name.startsWith('Json')) return 'anything';
  const type = types[name];
  if (type === undefined) throw new Error(`bug: no definition ${name}`);
  return hasSection(type) ? `[${name}](#${name.toLowerCase()})` : typeOf(type, types);
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' };

function wordOf(type: string): string {
  return WORDS[type] ?? type;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}
