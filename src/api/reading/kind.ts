import { z } from 'zod';
import { type Checked, type Finding, type Group, type Metadata, type ResourceOf, VERSION } from '../resource';
import { aboveMaximum, textOf } from './common-findings';
import { asWritten } from './control-plane';
import { fieldAt, fields, fieldsOf } from './fields';
import { metadata } from './metadata';
import { validate } from './validate';

/** Whether a kind's names are unique in the fleet or in a namespace. */
export type Scope = 'Cluster' | 'Namespaced';

/** What a kind's file says about it. */
export interface KindDefinition<K extends string, T extends z.ZodType> {
  readonly kind: K;
  readonly scope: Scope;

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
  readonly scope: Scope;
  readonly groups: readonly Group[];
  readonly description: string;

  /** The schema of a whole document, the source of its JSON Schema. */
  readonly document: z.ZodType;

  /** The names of the fields of an object in the document: of its spec at `['spec']`. */
  readonly fieldNames: (path: readonly string[]) => readonly string[];

  /** Reads one document whose group and kind are known to be this one. */
  readonly parse: (value: unknown, group: Group) => Checked<ResourceOf<K, S>>;
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

  const parse = (value: unknown, group: Group): Checked<ResourceOf<K, S>> => {
    const written = asWritten(value, group);
    const checked = validate(document, written);
    const own = 'findings' in checked ? checked.findings : [];
    const legible = looser && own.length > 0 ? validate(looser, written) : checked;
    if ('findings' in legible) return { findings: own };
    // zod cannot work out the output type of a generic shape.
    const parsed = legible.value as Written<z.output<T>>;
    const findings = [...own, ...furtherFindings(definition, parsed, group)];
    const spec = finish ? finish(parsed.spec, group) : (parsed.spec as S);
    const resource = { kind, group, metadata: parsed.metadata, spec };
    return findings.length > 0 ? { findings, loose: resource } : { value: resource };
  };
  const fieldNames = (path: readonly string[]) => fieldsOf(fieldAt(document, path));
  return { kind, scope, groups, description, document, fieldNames, parse };
}

/** What of a document is its own. */
interface Written<T> {
  readonly metadata: Metadata;
  readonly spec: T;
}

function documentOf(
  { kind, scope, groups, description }: Omit<KindDefinition<string, z.ZodType>, 'check'>,
  spec: z.ZodType,
): z.ZodType {
  return fields({
    apiVersion: z.enum(groups.map((group) => `${group}/${VERSION}`)).describe('The API group and version.'),
    kind: z.literal(kind).describe('The kind of resource.'),
    metadata: metadata(scope).describe('The name and labels of the resource.'),
    spec,
    status: z.unknown().optional().describe('Ignored: what a running cluster reports.'),
  }).describe(description);
}

/** What no schema can tell: it depends on the kind, or on the group. */
function furtherFindings<T extends z.ZodType>(
  { nameIsLabel, check }: KindDefinition<string, T>,
  { metadata, spec }: Written<z.output<T>>,
  group: Group,
): Finding[] {
  return [...(nameIsLabel ? longName(metadata) : []), ...[...(check?.(spec, group) ?? [])].map(belowSpec)];
}

/** Kubernetes' limit for the value of a label. */
const LONGEST_LABEL = 63;

function longName({ name: { length } }: Metadata): Finding[] {
  const hint = 'Shorten it: workloads carry it as a label';
  return length > LONGEST_LABEL
    ? [aboveMaximum(['metadata', 'name'], textOf(length), LONGEST_LABEL, hint)]
    : [];
}

function belowSpec(finding: Finding): Finding {
  return { ...finding, path: ['spec', ...finding.path] };
}
