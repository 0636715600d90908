import { z } from 'zod';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import { isMap } from '../../base/json';
import { toCanonicalLabels } from '../labels';
import { API_VERSION, type Group, type Metadata, type Path, type ResourceOf, type ValidationResult } from '../resource';
import { fieldNamesOf, fields, findFieldSchema, withDefault } from './fields';
import { annotationMap, labelMap } from './label-map';
import { describeAboveMaximum, formatTextLength } from './rules';
import { dnsLabel, dnsSubdomain } from './string-formats';
import { validateAgainst } from './validate';

/** Whether names of a kind are unique in the fleet or in a namespace. */
export type KindScope = 'Cluster' | 'Namespaced';

interface KindDefinition<K extends string, T extends z.ZodType> {
  readonly kind: K;
  readonly scope: KindScope;

  /** The API groups of the kind. */
  readonly groups: readonly Group[];

  /** The purpose of the kind, in one sentence, for editors. */
  readonly description: string;

  readonly spec: T;

  /**
   * The spec without the rules that no other check relies on. A document that violates only these rules is rejected,
   * but further checks still run, so that all findings are reported at once. Default: `spec`
   */
  readonly loose?: z.ZodType<z.output<T>>;

  /** Whether the name is also used as the value of a label, which Kubernetes limits to 63 characters. */
  readonly nameIsLabel?: boolean;

  /** Checks that depend on the group. Paths in findings start at the spec. */
  readonly check?: (spec: z.output<T>, group: Group) => Iterable<Diagnostic<Path>>;
}

/** A kind that can parse documents. */
export interface Kind<K extends string = string, S = unknown> {
  readonly kind: K;
  readonly scope: KindScope;
  readonly groups: readonly Group[];
  readonly description: string;

  /** The schema of a complete document, from which its JSON Schema is generated. */
  readonly document: z.ZodType;

  /** The names of the fields of the object at a path of the document: `['spec']` for its spec. */
  readonly fieldNames: (path: readonly string[]) => readonly string[];

  /** Parses a document of this kind and of the given group. */
  readonly parse: (value: unknown, group: Group) => ValidationResult<ResourceOf<K, S>>;

  /** Parses the metadata of a document without its spec, with the findings that `parse` has about the rest. */
  readonly parseMetadata: (value: unknown) => ValidationResult<Metadata>;
}

/**
 * Declares a kind.
 *
 * @param finish function that fills in the defaults that depend on the group or on other fields
 */
export function defineKind<K extends string, T extends z.ZodType, S = z.output<T>>(
  definition: KindDefinition<K, T>,
  finish?: (spec: z.output<T>, group: Group) => S,
): Kind<K, S> {
  const { kind, scope, groups, description, loose } = definition;
  const document = documentOf(definition, definition.spec);
  const looseDocument = loose && documentOf(definition, loose);

  const parse = (value: unknown, group: Group): ValidationResult<ResourceOf<K, S>> => {
    const written = stripControllerFields(value, group);
    const checked = validateAgainst(document, written);
    const schemaFindings = 'findings' in checked ? checked.findings : [];
    const readable = looseDocument && schemaFindings.length > 0 ? validateAgainst(looseDocument, written) : checked;
    if ('findings' in readable) return { findings: schemaFindings };
    // zod cannot infer the output type of a generic shape.
    const parsed = readable.value as ParsedDocument<z.output<T>>;
    const findings = [...schemaFindings, ...checkNameAndGroup(definition, parsed, group)];
    const spec = finish ? finish(parsed.spec, group) : (parsed.spec as S);
    const resource = { kind, group, metadata: parsed.metadata, spec };
    return findings.length > 0 ? { findings, loose: resource } : { value: resource };
  };
  const head = documentOf(definition, z.never().optional());
  const parseMetadata = (value: unknown): ValidationResult<Metadata> => {
    const checked = validateAgainst(head, value);
    if ('findings' in checked) return { findings: checked.findings };
    const { metadata } = checked.value as { readonly metadata: Metadata };
    const findings = [...checkName(definition, metadata)];
    return findings.length > 0 ? { findings } : { value: metadata };
  };
  const fieldNames = (path: readonly string[]) => fieldNamesOf(findFieldSchema(document, path));
  return { kind, scope, groups, description, document, fieldNames, parse, parseMetadata };
}

interface ParsedDocument<T> {
  readonly metadata: Metadata;
  readonly spec: T;
}

function documentOf(
  { kind, scope, groups, description }: Omit<KindDefinition<string, z.ZodType>, 'check'>,
  spec: z.ZodType,
): z.ZodType {
  return fields({
    apiVersion: z.enum(groups.map((group) => `${group}/${API_VERSION}`)).describe('The API group and version.'),
    kind: z.literal(kind).describe('The kind of resource.'),
    metadata: METADATA_BY_SCOPE[scope].describe('The name and labels of the resource.'),
    spec,
    status: z.unknown().optional().describe('Ignored: the status of a running object.'),
  }).describe(description);
}

/** Kubernetes' limit for the value of a label. */
const MAX_LABEL_LENGTH = 63;

function* checkNameAndGroup<T extends z.ZodType>(
  definition: KindDefinition<string, T>,
  { metadata, spec }: ParsedDocument<z.output<T>>,
  group: Group,
): Iterable<Diagnostic<Path>> {
  yield* checkName(definition, metadata);
  for (const finding of definition.check?.(spec, group) ?? []) yield relocate(finding, (path) => ['spec', ...path]);
}

function* checkName(
  { nameIsLabel }: Pick<KindDefinition<string, z.ZodType>, 'nameIsLabel'>,
  { name: { length } }: Metadata,
): Iterable<Diagnostic<Path>> {
  if (!nameIsLabel || length <= MAX_LABEL_LENGTH) return;
  const hint = 'Shorten it: it is the value of a label of workloads';
  yield describeAboveMaximum(['metadata', 'name'], formatTextLength(length), MAX_LABEL_LENGTH, hint);
}

/** Metadata that only a cluster writes. Exported objects contain these fields, which are accepted and ignored. */
const WRITTEN_BY_KUBERNETES = [
  'uid',
  'resourceVersion',
  'generation',
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'finalizers',
  'ownerReferences',
  'selfLink',
];

const ignored = z.unknown().optional().describe('Ignored: written by Kubernetes.');

const common = {
  name: dnsSubdomain.describe('The name, unique among resources of this kind and namespace.'),
  labels: labelMap().default({}).describe('Labels, for selectors.').transform(toCanonicalLabels),
  annotations: annotationMap().default({}).describe('Annotations. They do not affect plans.'),
  ...Object.fromEntries(WRITTEN_BY_KUBERNETES.map((name) => [name, ignored])),
};

const clusterScopedMetadata = fields(common, {
  namespace: 'Remove it: resources of this kind have no namespace',
}).transform(({ name, labels, annotations }): Metadata => ({ name, labels, annotations }));

const namespacedMetadata = fields({
  ...common,
  namespace: withDefault(dnsLabel, 'default', 'The namespace.'),
}).transform(({ name, namespace, labels, annotations }): Metadata => ({ name, namespace, labels, annotations }));

const METADATA_BY_SCOPE: Readonly<Record<KindScope, z.ZodType<Metadata>>> = {
  Cluster: clusterScopedMetadata,
  Namespaced: namespacedMetadata,
};

/** Removes the field that Crossplane writes into the spec of objects of the alias group. Exports contain it. */
function stripControllerFields(document: unknown, group: Group): unknown {
  if (group !== 'modelplane.ai' || !isMap(document) || !isMap(document['spec'])) return document;
  const { crossplane: _, ...spec } = document['spec'];
  return { ...document, spec };
}
