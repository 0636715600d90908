/** The parts of an OpenAPI v3 schema of a CustomResourceDefinition that say what an object is made of. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
}

/** Everything about a value that its schema does not allow, each with its path: unknown, missing, of a wrong type. */
export function violations(value: unknown, schema: Schema, path = ''): string[] {
  const wrong = wrongType(value, schema);
  if (wrong) return [`${path}: ${wrong}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => violations(item, schema.items ?? {}, `${path}[${index}]`));
  }
  return typeof value === 'object' && value !== null ? inMap(value, schema, path) : [];
}

function wrongType(value: unknown, schema: Schema): string | undefined {
  const type = typeOf(value);
  const accepted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : [schema.type ?? type];
  const fits = accepted.includes(type) || (type === 'integer' && accepted.includes('number'));
  if (!fits) return `${type} instead of ${accepted.join(' or ')}`;
  return schema.enum && !schema.enum.includes(value) ? `${String(value)} is none of its values` : undefined;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
}

function inMap(map: object, schema: Schema, path: string): string[] {
  const missing = (schema.required ?? []).filter((key) => !(key in map)).map((key) => `${path}.${key}: missing`);
  const found = Object.entries(map).flatMap(([key, value]) => {
    const known = schema.properties?.[key] ?? additional(schema);
    return known ? violations(value, known, `${path}.${key}`) : [`${path}.${key}: unknown`];
  });
  return [...missing, ...found];
}

/** The schema of a key that has none of its own. None: the key is unknown. */
function additional({ additionalProperties: more, ...schema }: Schema): Schema | undefined {
  if (typeof more === 'object') return more;
  const free = more === true || schema['x-kubernetes-preserve-unknown-fields'] || schema.type === undefined;
  // A map without a schema for its keys holds anything, as metadata does, whose fields Kubernetes knows itself.
  return free || !schema.properties ? {} : undefined;
}
