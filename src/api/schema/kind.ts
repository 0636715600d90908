import { z } from 'zod';
import { isMap } from '../../base/json';
import { toCanonicalLabels } from '../labels';
import { API_VERSION, type Finding, type Group, type Metadata, type ResourceOf, type ValidationResult } from '../resource';
import { fieldNamesOf, fields, findFieldSchema } from './fields';
import { annotationMap, labelMap } from './label-map';
import { describeAboveMaximum, formatTextLength } from './rules';
import { dnsLabel, dnsSubdomain } from './string-formats';
import { validateAgainst } from './validate';

/** Whether a kind's names are unique in the fleet or in a namespace. */
export type KindScope = 'Cluster' | 'Namespaced';

/** What a kind's file says about it. */
export interface KindDefinition<K extends string, T extends z.ZodType> {
  readonly kind: K;
  readonly scope: KindScope;

  /** The API groups under which it may be declared. */
  readonly groups: readonly Group[];

  /** What it is for, in one sentence, for editors. */
  readonly description: string;

  readonly spec: T;

  /**
   * The spec without rules on which no other rule relies. A document that breaks only those is refused, and other rules
   * are asked of it all the same: what is wrong with it is told at once. Default: the spec
   */
  readonly loose?: z.ZodType<z.output<T>>;

  /** Whether the name also becomes the value of a label, which Kubernetes holds to 63 characters. */
  readonly nameIsLabel?: boolean;

  /** Rules that depend on the group. Paths start at the spec. */
  readonly check?: (spec: z.output<T>, group: Group) => Iterable<Finding>;
}

/** A kind, ready to read documents. */
export interface Kind<K extends string = string, S = unknown> {
  readonly kind: K;
  readonly scope: KindScope;
  readonly groups: readonly Group[];
  readonly description: string;

  /** The schema of a whole document, the source of its JSON Schema. */
  readonly document: z.ZodType;

  /** The names of the fields of an object in the document: of its spec at `['spec']`. */
  readonly fieldNames: (path: readonly string[]) => readonly string[];

  /** Reads one document whose group and kind are known to be this one. */
  readonly parse: (value: unknown, group: Group) => ValidationResult<ResourceOf<K, S>>;
}

/**
 * Declares a kind.
 *
 * @param finish fills in the defaults that depend on the group or on other fields
 */
export function defineKind<K extends string, T extends z.ZodType, S = z.output<T>>(
  definition: KindDefinition<K, T>,
  finish?: (spec: z.output<T>, group: Group) => S,
): Kind<K, S> {
  const { kind, scope, groups, description, loose } = definition;
  const document = documentOf(definition, definition.spec);
  const looser = loose && documentOf(definition, loose);

  const parse = (value: unknown, group: Group): ValidationResult<ResourceOf<K, S>> => {
    const written = stripControllerFields(value, group);
    const checked = validateAgainst(document, written);
    const own = 'findings' in checked ? checked.findings : [];
    const legible = looser && own.length > 0 ? validateAgainst(looser, written) : checked;
    if ('findings' in legible) return { findings: own };
    // zod cannot work out the output type of a generic shape.
    const parsed = legible.value as ParsedDocument<z.output<T>>;
    const findings = [...own, ...checkFurther(definition, parsed, group)];
    const spec = finish ? finish(parsed.spec, group) : (parsed.spec as S);
    const resource = { kind, group, metadata: parsed.metadata, spec };
    return findings.length > 0 ? { findings, loose: resource } : { value: resource };
  };
  const fieldNames = (path: readonly string[]) => fieldNamesOf(findFieldSchema(document, path));
  return { kind, scope, groups, description, document, fieldNames, parse };
}

/** What of a document is its own. */
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
    metadata: metadataOf(scope).describe('The name and labels of the resource.'),
    spec,
    status: z.unknown().optional().describe('Ignored: what a running cluster reports.'),
  }).describe(description);
}

/** What no schema can tell: it depends on the kind, or on the group. */
function checkFurther<T extends z.ZodType>(
  { nameIsLabel, check }: KindDefinition<string, T>,
  { metadata, spec }: ParsedDocument<z.output<T>>,
  group: Group,
): Finding[] {
  return [...(nameIsLabel ? checkNameLength(metadata) : []), ...[...(check?.(spec, group) ?? [])].map(belowSpec)];
}

/** Kubernetes' limit for the value of a label. */
const MAX_LABEL_LENGTH = 63;

function checkNameLength({ name: { length } }: Metadata): Finding[] {
  const hint = 'Shorten it: workloads carry it as a label';
  return length > MAX_LABEL_LENGTH
    ? [describeAboveMaximum(['metadata', 'name'], formatTextLength(length), MAX_LABEL_LENGTH, hint)]
    : [];
}

function belowSpec(finding: Finding): Finding {
  return { ...finding, path: ['spec', ...finding.path] };
}

/** Fields that only a running cluster writes. Exported objects carry them; they are read and dropped. */
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
  annotations: annotationMap().default({}).describe('Annotations. Nothing is decided by them.'),
  ...Object.fromEntries(WRITTEN_BY_KUBERNETES.map((name) => [name, ignored])),
};

const ofCluster = fields(common, {
  namespace: 'Remove it: resources of this kind are in no namespace',
}).transform(({ name, labels, annotations }): Metadata => ({ name, labels, annotations }));

const ofNamespace = fields({
  ...common,
  namespace: dnsLabel.default('default').describe('The namespace. Default: default.'),
}).transform(
  ({ name, namespace, labels, annotations }): Metadata => ({ name, namespace, labels, annotations }),
);

/** The metadata of a document of a kind with this scope. */
export function metadataOf(scope: KindScope): z.ZodType<Metadata> {
  return scope === 'Cluster' ? ofCluster : ofNamespace;
}

/** The field of a spec in which Crossplane notes what it made from the object. */
const CROSSPLANE_FIELD = 'crossplane';

/**
 * A document as its author wrote it. Objects of the alias group are read by Crossplane, which writes into their
 * specs; an export of them has that too, and here it means nothing.
 */
export function stripControllerFields(document: unknown, group: Group): unknown {
  if (group !== 'modelplane.ai' || !isMap(document) || !isMap(document['spec'])) return document;
  const { [CROSSPLANE_FIELD]: _, ...spec } = document['spec'];
  return { ...document, spec };
}
