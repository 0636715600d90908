import type { InstanceType } from '../../api/catalogue-file';
import { type DeclaredProvisioning, type Provisioning, provisioning as schema } from '../../api/provisioning';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { cloudOf, CLOUDS, cloudTypeNameOf, provisionedTypeOf } from './cloud-instance-types';

/** What the catalogue and a class say together: complete unless there are findings. */
export interface Merged<T> {
  readonly value: T;

  /** Paths start at the resource. */
  readonly findings: readonly Diagnostic<Path>[];
}

/** The fields that are there: one that is undefined would hide what the catalogue says. */
export function definedFieldsOf(value: object | undefined): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => one !== undefined));
}

/** Moves a finding from the part that was checked to its place in the resource. */
export function prefixPath(
  ...outer: readonly (string | number)[]
): (finding: Diagnostic<Path>) => Diagnostic<Path> {
  return (finding) => relocate(finding, (path) => [...outer, ...path]);
}

/**
 * How the clouds of some instance types make a node, with what a class says of it. The provider is the one that the
 * class names, or that of the first instance type. Nothing for machines of a house.
 */
export function mergeProvisioning(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Merged<Provisioning | undefined> {
  const findings = [...checkProvider(own, types, from), ...checkInstanceType(own, types, from)];
  const known = knownProvisioningOf(types);
  // What contradicts them says nothing of the machines: who asks for these finds them.
  if (findings.length > 0) return { value: validOrUndefined(known), findings };
  if (!known.provider && !own) return { value: undefined, findings };
  const checked = validateAgainst(schema, {
    ...known,
    ...definedFieldsOf(own),
    ...(known.gke && { gke: { ...known.gke, ...definedFieldsOf(own?.gke) } }),
    ...(known.eks && { eks: { ...known.eks, ...definedFieldsOf(own?.eks) } }),
  });
  if ('value' in checked) return { value: checked.value, findings: [] };
  return { value: undefined, findings: checked.findings.map(prefixPath('spec', 'provisioning')) };
}

function validOrUndefined(known: Partial<Provisioning>): Provisioning | undefined {
  const checked = validateAgainst(schema, known);
  return 'value' in checked ? checked.value : undefined;
}

function knownProvisioningOf(types: readonly InstanceType[]): Partial<Provisioning> {
  const [first] = types.flatMap((type) => cloudOf(type) ?? []);
  const blocks = types.map((type) => cloudOf(type)?.block(type, cloudTypeNameOf(type)));
  return Object.assign({ ...(first && { provider: first.provider }) }, ...blocks) as Partial<Provisioning>;
}

/** A provider on which none of the instance types is. */
function* checkProvider(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Generator<Diagnostic<Path>> {
  const provider = own?.provider;
  const providers: string[] = types.flatMap((type) => cloudOf(type)?.provider ?? []);
  if (provider === undefined || providers.length === 0 || providers.includes(provider)) return;
  yield errorAt(
    'wrong-provider',
    ['spec', 'provisioning', 'provider'],
    `'${from}' is of ${providers.join(' and ')}, and the provider is ${provider}`,
    'Name an instance type of that cloud in spec.from, or leave the provider out',
  );
}

/** Another instance type than the one that the class is made from. */
function* checkInstanceType(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Generator<Diagnostic<Path>> {
  for (const cloud of own ? CLOUDS : []) {
    const written = own && provisionedTypeOf(cloud, own);
    const meant = types.find((type) => cloudOf(type) === cloud);
    if (written === undefined || !meant || cloudTypeNameOf(meant) === written) continue;
    yield errorAt(
      'contradiction',
      ['spec', 'provisioning', ...cloud.typePath],
      `'${written}' contradicts '${from}' of spec.from`,
      'Keep one of the two',
    );
  }
}
