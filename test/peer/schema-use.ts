import type { JsonSchema } from '../../src/api/schema-parts';

/** A field of a schema, and what documents have there. */
export interface Field {
  /** `spec.nodePools[].zones` */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly values: readonly unknown[];
}

/** Every field of a schema with the values that documents give it. Below a field that no one uses, none is listed. */
export function fieldsOf(schema: JsonSchema, documents: readonly unknown[], path = ''): Field[] {
  if (documents.length === 0) return [];
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const fields = own.flatMap(([name, field]) => {
    const values = documents.flatMap((document) => valueAt(document, name));
    const here = path ? `${path}.${name}` : name;
    return [{ path: here, schema: field, values }, ...fieldsOf(field, values, here)];
  });
  const items = [schema['items'], schema['additionalProperties']].flat().filter(isMap);
  const inside = documents.flatMap((document) => (isMap(document) ? Object.values(document) : document));
  return [...fields, ...items.flatMap((item) => fieldsOf(item, inside, `${path}[]`))];
}

/** The choices that no document makes, as `Unified | PrefillDecode: Unified`. Fields with the same choices count as one. */
export function unusedChoices(fields: readonly Field[]): string[] {
  const used = new Map<string, Set<unknown>>();
  for (const { schema, values } of fields) {
    if (!Array.isArray(schema['enum']) || values.length === 0) continue;
    const choices = schema['enum'].join(' | ');
    used.set(choices, new Set([...(used.get(choices) ?? []), ...values]));
  }
  return [...used].flatMap(([choices, values]) =>
    choices
      .split(' | ')
      .filter((choice) => !values.has(choice))
      .map((choice) => `${choices}: ${choice}`),
  );
}

function valueAt(document: unknown, name: string): unknown[] {
  return isMap(document) && document[name] !== undefined ? [document[name]] : [];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
