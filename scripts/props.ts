import { join } from 'node:path';
import { REFERENCE_PROPS } from '../constructs/props-to-document';
import { propLayoutOf } from '../src/api/construct-props';
import { jsonSchemaOf } from '../src/api/json-schema';
import { KINDS } from '../src/api/kind-table';
import type { Resource } from '../src/api/kinds';
import { writeFileAtomic } from '../src/files/write-file';

/** What of a JSON Schema the props of constructs are made from. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | readonly Schema[];
  readonly additionalItems?: Schema;
  readonly enum?: readonly (string | boolean | number)[];
  readonly const?: string;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
}

type Kind = (typeof KINDS)[number];

const HEAD = '// Written by `npm run props` from the schemas in src/api. Changes made here are lost.';

/** The file with the props of a kind: TypeScript has no other way to show the words of a schema in editors. */
export function propsFile(kind: Kind): { readonly path: string; readonly text: string } {
  const references = REFERENCE_PROPS[kind.kind] ?? {};
  const imports = [...new Set(Object.values(references))].map(
    (target) => `import type { ${target} } from '../${fileName(target)}';`,
  );
  const name = `${kind.kind}Props`;
  const head = `/** Properties of ${/^[AEIOU]/.test(kind.kind) ? 'an' : 'a'} \`${kind.kind}\`. ${kind.description} */`;
  const text = [
    HEAD,
    ...imports,
    '',
    head,
    `export interface ${name} ${printed(propsOf(kind), '', kind.kind)}`,
    '',
  ];
  return { path: `constructs/props/${fileName(kind.kind)}.ts`, text: text.join('\n') };
}

/** One object schema of all props. */
function propsOf(kind: Kind): Schema {
  const document = jsonSchemaOf(kind) as Schema;
  const props = [...propLayoutOf(kind.kind)].map(([prop, path]) => {
    const holder = path
      .slice(0, -1)
      .reduce<Schema>((outer, part) => outer.properties?.[part] ?? {}, document);
    const last = String(path.at(-1));
    // A reference stands for an object that holds a name, which may be left out as a whole.
    const whole = prop === last || holder.properties?.[last]?.type === 'object';
    const required = whole && prop !== 'name' && (holder.required?.includes(last) ?? false);
    return { prop, schema: named(prop, holder.properties?.[last] ?? {}), required };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(props.map(({ prop, schema }) => [prop, schema])),
    required: props.flatMap(({ prop, required }) => (required ? [prop] : [])),
  };
}

function named(prop: string, schema: Schema): Schema {
  return prop === 'name'
    ? { ...schema, description: `${schema.description} Default: the id of the construct.` }
    : schema;
}

function printed(schema: Schema, path: string, kind: Resource['kind']): string {
  const target = REFERENCE_PROPS[kind]?.[path];
  if (target) return `${target} | string`;
  if (schema.anyOf) return schema.anyOf.map((form) => printed(form, path, kind)).join(' | ');
  if (schema.const !== undefined) return `'${schema.const}'`;
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (typeof schema.type === 'object') return union(schema, schema.type, path, kind);
  if (schema.type === 'array') return list(schema, path, kind);
  if (schema.type === 'object') return object(schema, path, kind);
  // Without bounds it is an attribute of 64 bits, more than a number holds exactly.
  if (schema.type === 'integer') return schema.maximum === undefined ? 'number | bigint' : 'number';
  if (schema.type) return schema.type;
  // A value of any kind, such as one that a Helm chart takes.
  if (path.endsWith('{}')) return 'unknown';
  throw new Error(`no type for ${kind} ${path}`);
}

/** A value of one of several types. */
function union(schema: Schema, types: readonly string[], path: string, kind: Resource['kind']): string {
  return types.map((type) => printed({ ...schema, type }, path, kind)).join(' | ');
}

function list({ items, additionalItems }: Schema, path: string, kind: Resource['kind']): string {
  if (isTuple(items)) {
    const first = items.map((item) => printed(item, `${path}[]`, kind));
    const rest = additionalItems ? [`...${many(additionalItems, path, kind)}`] : [];
    return `readonly [${[...first, ...rest].join(', ')}]`;
  }
  return `readonly ${many(items ?? {}, path, kind)}`;
}

/** The type of several items. */
function many(items: Schema, path: string, kind: Resource['kind']): string {
  const item = printed(items, `${path}[]`, kind);
  return item.includes('|') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function isTuple(items: Schema['items']): items is readonly Schema[] {
  return Array.isArray(items);
}

function object(
  { properties, required = [], additionalProperties }: Schema,
  path: string,
  kind: Resource['kind'],
): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${printed(value, `${path}{}`, kind)}>>`;
  }
  const lines = Object.entries(properties).map(([key, value]) => {
    const type = printed(value, path === '' ? key : `${path}.${key}`, kind);
    const optional = !required.includes(key);
    return `${comment(value, optional)}\nreadonly ${key}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n\n')}\n}`;
}

/** A line for what the field is, and one for what holds where it is left out. */
function comment({ description = '' }: Schema, optional: boolean): string {
  const [, what = description, fallback = '- none'] = /^(.*?)\s*Default: (.+?)\.?$/.exec(description) ?? [];
  const first = what === '' ? [] : [what];
  const lines = optional ? [...first, ...(first.length > 0 ? [''] : []), `@default ${fallback}`] : first;
  return lines.length > 1
    ? `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`
    : `/** ${lines.join('')} */`;
}

function fileName(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

if (require.main === module) {
  for (const kind of KINDS) {
    const { path, text } = propsFile(kind);
    writeFileAtomic(join(__dirname, '..', path), text);
  }
}
