import { PROVIDER_BLOCK } from '../../api/cloud-providers';
import { type DeclaredProvisioning, type Provisioning, provisioning as schema } from '../../api/provisioning';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import type { InstanceType } from '../../catalog/row-types';
import { cloudOf, CLOUDS, cloudTypeNameOf, provisionedTypeOf } from './cloud-instance-types';

/** A part of a class merged with the catalog. The value is complete unless there are findings. */
export interface MergedCatalogue<T> {
  readonly value: T;

  /** Findings with paths relative to the resource. */
  readonly findings: readonly Diagnostic<Path>[];
}

/** The fields that are not undefined: an undefined field would hide the value of the catalog in a spread. */
export function definedFieldsOf(value: object | undefined): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, one]) => one !== undefined));
}

/** Returns a function that prefixes the path of a finding, for findings in a part of a resource. */
export function prefixPath(...outer: readonly (string | number)[]): (finding: Diagnostic<Path>) => Diagnostic<Path> {
  return (finding) => relocate(finding, (path) => [...outer, ...path]);
}

/**
 * Merges the `provisioning` of a class with what the catalog has for its instance types. The provider is that of the
 * class, or else of the first instance type. The value is undefined for on-premises machines.
 */
export function mergeProvisioning(
  declared: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): MergedCatalogue<Provisioning | undefined> {
  const findings = declared ? [...checkAgainstCatalogue(declared, types, from)] : [];
  const known = knownProvisioningOf(types);
  if (findings.length > 0) {
    // The class contradicts the catalog: use the catalog alone.
    const checked = validateAgainst(schema, known);
    return { value: 'value' in checked ? checked.value : undefined, findings };
  }
  if (!known.provider && !declared) return { value: undefined, findings };
  const checked = validateAgainst(schema, {
    ...known,
    ...definedFieldsOf(declared),
    ...Object.fromEntries(
      Object.values(PROVIDER_BLOCK).flatMap((block) =>
        known[block] ? [[block, { ...known[block], ...definedFieldsOf(declared?.[block]) }]] : [],
      ),
    ),
  });
  if ('value' in checked) return { value: checked.value, findings: [] };
  return { value: undefined, findings: checked.findings.map(prefixPath('spec', 'provisioning')) };
}

function knownProvisioningOf(types: readonly InstanceType[]): Partial<Provisioning> {
  const [first] = types.flatMap((type) => cloudOf(type) ?? []);
  const blocks = types.map((type) => cloudOf(type)?.block(type, cloudTypeNameOf(type)));
  return Object.assign({ ...(first && { provider: first.provider }) }, ...blocks) as Partial<Provisioning>;
}

/** Reports a provider without the instance types, and an instance type other than the one in `spec.from`. */
function* checkAgainstCatalogue(
  declared: DeclaredProvisioning,
  types: readonly InstanceType[],
  from: string,
): Generator<Diagnostic<Path>> {
  const { provider } = declared;
  const providers: string[] = types.flatMap((type) => cloudOf(type)?.provider ?? []);
  if (provider !== undefined && providers.length > 0 && !providers.includes(provider)) {
    const what = `'${from}' is an instance type of ${providers.join(' and ')}, and the provider is ${provider}`;
    const hint = 'Set spec.from to an instance type of that cloud, or remove the provider';
    yield errorAt('wrong-provider', ['spec', 'provisioning', 'provider'], what, hint);
  }
  for (const cloud of CLOUDS) {
    const written = provisionedTypeOf(cloud, declared);
    const meant = types.find((type) => cloudOf(type) === cloud);
    if (written === undefined || !meant || cloudTypeNameOf(meant) === written) continue;
    const what = `'${written}' contradicts '${from}' of spec.from`;
    yield errorAt('contradiction', ['spec', 'provisioning', ...cloud.typePath], what, 'Keep one of the two');
  }
}
