import { join } from 'node:path';
import { REFERENCE_PROPS } from '../constructs/props-to-document';
import { propLayoutOf } from '../src/api/construct-props';
import { jsonSchemaOf } from '../src/api/json-schema';
import { KINDS } from '../src/api/kind-table';
import type { Resource } from '../src/api/kinds';
import { type JsonSchema, type SchemaPart, partKeyOf, findSchemaParts } from '../src/api/schema-parts';
import { writeFileAtomic } from '../src/files/write-file';
import { knownNamesFile, KNOWN_NAMES_FILE, refinedType, unionOf } from './prop-refinements';
import { comment, listed, withoutDefault } from './prop-words';

/** What of a JSON Schema the props of constructs are made from. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | readonly Schema[];
  readonly additionalItems?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly (string | boolean | number)[];
  readonly const?: string;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
}

type Kind = (typeof KINDS)[number];

/** A file of constructs/props. */
interface File {
  readonly path: string;
  readonly text: string;
}

const HEAD = '// Written by `npm run props` from the schemas in src/api. Changes made here are lost.';

/** The parts of all documents: each becomes an interface of its own. */
const PARTS = findSchemaParts(new Map(KINDS.map((kind) => [kind.kind, jsonSchemaOf(kind)])));

/** An interface of a file. */
interface Interface {
  readonly name: string;
  readonly body: string;

  /** What its fields say about it. */
  readonly description: string | undefined;

  /** The fields of other interfaces that have it as their type. */
  readonly uses: Set<string>;

  /** The kinds whose props lead to it. */
  readonly kinds: Set<string>;
}

/** Interfaces by name, in the order in which a reader meets them. */
const INTERFACES = new Map<string, Interface>();
const PROPS = new Map(KINDS.map((kind) => [kind.kind, propsInterface(kind)]));

/** The file with the props of a kind: TypeScript has no other way to show the words of a schema in editors. */
export function propsFile(kind: Kind): File {
  const name = `${kind.kind}Props`;
  const head = `/** Properties of ${/^[AEIOU]/.test(kind.kind) ? 'an' : 'a'} \`${kind.kind}\`. ${kind.description} */`;
  const own = [...INTERFACES.values()].filter(({ kinds }) => kinds.size === 1 && kinds.has(kind.kind));
  const texts = [typed(name, PROPS.get(kind.kind) ?? '', head), ...own.map(declared)];
  return file(fileName(kind.kind), [...importsOf(texts), ...texts]);
}

/** The file with the interfaces that props of several kinds have in common. */
export function sharedFile(): File {
  const shared = [...INTERFACES.values()].filter(isShared).map(declared);
  return file(SHARED, [...importsOf(shared), ...shared]);
}

/** The file that leads to all of them. */
export function indexFile(): File {
  const names = [...KINDS.map(({ kind }) => fileName(kind)), SHARED, KNOWN_NAMES_FILE];
  return file('index', [names.map((name) => `export type * from './${name}';`).join('\n')]);
}

/** The file with the names that editors offer. */
export function knownFile(): File {
  return file(KNOWN_NAMES_FILE, knownNamesFile());
}

const SHARED = 'shared';

function file(name: string, parts: readonly string[]): File {
  return { path: `constructs/props/${name}.ts`, text: `${[HEAD, ...parts].join('\n\n')}\n` };
}

function isShared({ kinds }: Interface): boolean {
  return kinds.size > 1;
}

/** The imports of what interfaces refer to and their file does not have. */
function importsOf(texts: readonly string[]): string[] {
  const words = new Set(texts.join('\n').match(/\w+/g));
  const targets = KINDS.map(({ kind }) => kind).filter((kind) => refersTo(texts, kind));
  const own = new Set(texts.flatMap((text) => /^export (?:interface|type) (\w+)/m.exec(text)?.[1] ?? []));
  const shared = [...INTERFACES.values()].filter(isShared).map(({ name }) => name);
  const used = shared.filter((name) => words.has(name) && !own.has(name)).sort();
  const known = [...words].filter((word) => /^Known[A-Z]/.test(word)).sort();
  const unions = [...words].filter((word) => /^(One|AtMostOne)Block$/.test(word));
  const imports = targets.map((target) => `import type { ${target} } from '../${fileName(target)}';`);
  if (used.length > 0) imports.push(`import type { ${used.join(', ')} } from './${SHARED}';`);
  if (known.length > 0) imports.push(`import type { ${known.join(', ')} } from './${KNOWN_NAMES_FILE}';`);
  if (words.has('ObjectReference')) imports.push("import type { ObjectReference } from '../object-reference';");
  if (unions.length > 0) imports.push(`import type { ${unions.join(', ')} } from '../one-block';`);
  if (words.has('NonEmpty')) imports.push("import type { NonEmpty } from '../non-empty';");
  return imports.length > 0 ? [imports.join('\n')] : [];
}

/** Whether a construct of a kind may be written in place of its name. */
function refersTo(texts: readonly string[], kind: string): boolean {
  return texts.some((text) => new RegExp(`\\b${kind} \\| string`).test(text));
}

function declared({ name, body, description, uses }: Interface): string {
  return typed(name, body, `/** ${description ?? `Used in ${listed([...uses])}.`} */`);
}

/** An interface, or a union where a field decides which block may be set. */
function typed(name: string, body: string, head: string): string {
  const union = unionOf(name);
  if (!union) return `${head}\nexport interface ${name} ${body}`;
  const all = `/** All fields of \`${name}\`. */\nexport interface ${union.fields} ${body}`;
  return `${head}\nexport type ${name} = ${union.type};\n\n${all}`;
}

function propsInterface(kind: Kind): string {
  return object(propsOf(kind), { kind: kind.kind, holder: `${kind.kind}Props`, path: '' });
}

/** One object schema of all props. */
function propsOf(kind: Kind): Schema {
  const document = jsonSchemaOf(kind) as Schema;
  const props = [...propLayoutOf(kind.kind)].map(([prop, path]) => {
    const holder = path.slice(0, -1).reduce<Schema>((outer, part) => outer.properties?.[part] ?? {}, document);
    const last = String(path.at(-1));
    // A reference stands for an object that holds a name, which may be left out as a whole.
    const whole = prop === last || holder.properties?.[last]?.type === 'object';
    const required = whole && prop !== 'name' && (holder.required?.includes(last) ?? false);
    return { prop, schema: ownName(prop, holder.properties?.[last] ?? {}), required };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(props.map(({ prop, schema }) => [prop, schema])),
    required: props.flatMap(({ prop, required }) => (required ? [prop] : [])),
  };
}

function ownName(prop: string, schema: Schema): Schema {
  return prop === 'name'
    ? { ...schema, description: `${schema.description} Default: the id of the construct.` }
    : schema;
}

/** Where a type is written. */
interface Place {
  readonly kind: Resource['kind'];

  /** The interface around it. */
  readonly holder: string;

  /** The path from the props of the kind. */
  readonly path: string;
}

function below(place: Place, path: string): Place {
  return { ...place, path: `${place.path}${path}` };
}

function printed(schema: Schema, place: Place): string {
  const target = REFERENCE_PROPS[place.kind]?.[place.path];
  if (target) return `${target} | string`;
  const refined = refinedType(place.holder, place.path);
  if (refined) return refined;
  if (schema.anyOf) return schema.anyOf.map((form) => printed(form, place)).join(' | ');
  if (schema.const !== undefined) return `'${schema.const}'`;
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (typeof schema.type === 'object') return union(schema, schema.type, place);
  if (schema.type === 'array') return list(schema, place);
  if (schema.type === 'object') return named(schema, place) ?? object(schema, place);
  // Without bounds it is an attribute of 64 bits, more than a number holds exactly.
  if (schema.type === 'integer') return schema.maximum === undefined ? 'number | bigint' : 'number';
  if (schema.type) return schema.type;
  // A value of any kind, such as one that a Helm chart takes.
  if (place.path.endsWith('{}')) return 'unknown';
  throw new Error(`no type for ${place.kind} ${place.path}`);
}

/** The name of an interface; undefined for what is no part. */
function named(schema: Schema, place: Place): string | undefined {
  const part = PARTS.get(partKeyOf(schema as JsonSchema) ?? '');
  if (!part) return undefined;
  const { name } = part;
  const known = INTERFACES.get(name);
  const made = known ?? { name, body: '', description: wordsOf(part), uses: new Set(), kinds: new Set() };
  // Before its fields, so that readers meet it first.
  if (!known) INTERFACES.set(name, made);
  made.uses.add(`${place.holder}.${/\w+(?=\W*$)/.exec(place.path)?.[0] ?? ''}`);
  made.kinds.add(place.kind);
  const body = object(schema, { ...place, holder: name });
  if (known && known.body !== body) throw new Error(`${name} differs at ${place.kind} ${place.path}`);
  INTERFACES.set(name, { ...made, body });
  return name;
}

/** What all fields that hold a part say about it. */
function wordsOf({ descriptions }: SchemaPart): string | undefined {
  const [first, ...others] = descriptions;
  return typeof first === 'string' && others.length === 0 ? withoutDefault(first).what : undefined;
}

/** A value of one of several types. */
function union(schema: Schema, types: readonly string[], place: Place): string {
  return types.map((type) => printed({ ...schema, type }, place)).join(' | ');
}

function list({ items, additionalItems, minItems = 0 }: Schema, place: Place): string {
  if (isTuple(items)) {
    const first = items.map((item) => printed(item, below(place, '[]')));
    const rest = additionalItems ? [`...${many(additionalItems, place)}`] : [];
    return `readonly [${[...first, ...rest].join(', ')}]`;
  }
  return minItems > 0
    ? `NonEmpty<${printed(items ?? {}, below(place, '[]'))}>`
    : `readonly ${many(items ?? {}, place)}`;
}

/** The type of several items. */
function many(items: Schema, place: Place): string {
  const item = printed(items, below(place, '[]'));
  return item.includes('|') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function isTuple(items: Schema['items']): items is readonly Schema[] {
  return Array.isArray(items);
}

function object({ properties, required = [], additionalProperties }: Schema, place: Place): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${printed(value, below(place, '{}'))}>>`;
  }
  const lines = Object.entries(properties).map(([key, value]) => {
    const type = printed(value, below(place, place.path === '' ? key : `.${key}`));
    const optional = !required.includes(key);
    return `${comment(value.description, optional)}\nreadonly ${key}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function fileName(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

if (require.main === module) {
  for (const { path, text } of [...KINDS.map(propsFile), sharedFile(), knownFile(), indexFile()])
    writeFileAtomic(join(__dirname, '..', path), text);
}
