import { z } from 'zod';
import { catalogueFile } from './catalogue-file';
import { KINDS } from './kind-table';
import { policyFile } from './policy-file';
import { priceFile } from './price-file';
import type { Kind } from './reading/kind';
import { wordOf } from './reading/word';
import { scenarioFile } from './scenario-file';

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A file of the `schema` folder. */
export interface SchemaFile {
  /** `model-deployment.json` */
  readonly name: string;
  readonly text: string;
}

/** The version of JSON Schema that YAML language servers support best. */
const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** The JSON Schema of the documents of a kind, as users write them: what has a default may be left out. */
export function jsonSchema(kind: Pick<Kind, 'document' | 'kind'>): JsonSchema {
  return schemaOf(kind.kind, kind.document);
}

function schemaOf(title: string, schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-07',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: own }) => orWord(own, wordOf(zodSchema)),
  });
  return { title, ...json };
}

/** Adds the word by which an object may be written to its schema, in place. */
function orWord(schema: Record<string, unknown>, word: string | undefined): void {
  if (word === undefined) return;
  const object = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema['anyOf'] = [{ type: 'string', const: word }, object];
}

/** One schema for documents of every kind. */
export function fleetwrightSchema(): JsonSchema {
  const definitions = Object.fromEntries(KINDS.map((kind) => [kind.kind, withoutDraft(jsonSchema(kind))]));
  return {
    $schema: DRAFT,
    title: 'Fleetwright',
    description: 'Any resource of a fleet.',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: { kind: { enum: KINDS.map(({ kind }) => kind) } },
    oneOf: KINDS.map(({ kind }) => ({ $ref: `#/definitions/${kind}` })),
    definitions,
  };
}

/**
 * The files of the `schema` folder: one a kind, `fleetwright.json` for documents of every kind, and those of the files
 * that a Fleet or a command names.
 */
export function schemaFiles(): SchemaFile[] {
  const perKind = KINDS.map((kind) => file(fileName(kind.kind), jsonSchema(kind)));
  const named = [
    file('catalogue.json', schemaOf('Catalogue', catalogueFile)),
    file('prices.json', schemaOf('Prices', priceFile)),
    file('policies.json', schemaOf('Policies', policyFile)),
    file('scenarios.json', schemaOf('Scenarios', scenarioFile)),
  ];
  return [...perKind, file('fleetwright.json', fleetwrightSchema()), ...named];
}

function file(name: string, schema: JsonSchema): SchemaFile {
  return { name, text: `${JSON.stringify(schema, null, 2)}\n` };
}

/** `ModelDeployment` -> `model-deployment.json` */
function fileName(kind: string): string {
  return `${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.json`;
}

function withoutDraft(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
