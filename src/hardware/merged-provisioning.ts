import type { InstanceType } from '../api/catalogue-file';
import { type DeclaredProvisioning, type Provisioning, provisioning as schema } from '../api/provisioning';
import { validate } from '../api/reading/validate';
import type { Finding } from '../api/resource';
import { CLOUDS, cloudOf, nameOnCloud, typeIn } from './clouds';
import { below, type Merged, stated } from './merged';

/**
 * How the clouds of some instance types make a node, with what a class says of it. The provider is the one that the
 * class names, or that of the first instance type. Nothing for machines of a house.
 */
export function mergedProvisioning(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Merged<Provisioning | undefined> {
  const findings = [...wrongProvider(own, types, from), ...otherTypes(own, types, from)];
  const known = knownProvisioning(types);
  // What contradicts them says nothing of the machines: who asks for these finds them.
  if (findings.length > 0) return { value: sound(known), findings };
  if (!known.provider && !own) return { value: undefined, findings };
  const checked = validate(schema, {
    ...known,
    ...stated(own),
    ...(known.gke && { gke: { ...known.gke, ...stated(own?.gke) } }),
    ...(known.eks && { eks: { ...known.eks, ...stated(own?.eks) } }),
  });
  if ('value' in checked) return { value: checked.value, findings: [] };
  return { value: undefined, findings: checked.findings.map(below('spec', 'provisioning')) };
}

function sound(known: Partial<Provisioning>): Provisioning | undefined {
  const checked = validate(schema, known);
  return 'value' in checked ? checked.value : undefined;
}

function knownProvisioning(types: readonly InstanceType[]): Partial<Provisioning> {
  const [first] = types.flatMap((type) => cloudOf(type) ?? []);
  const blocks = types.map((type) => cloudOf(type)?.block(type, nameOnCloud(type)));
  return Object.assign({ ...(first && { provider: first.provider }) }, ...blocks) as Partial<Provisioning>;
}

/** A provider on which none of the instance types is. */
function* wrongProvider(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Generator<Finding> {
  const provider = own?.provider;
  const providers: string[] = types.flatMap((type) => cloudOf(type)?.provider ?? []);
  if (provider === undefined || providers.length === 0 || providers.includes(provider)) return;
  yield {
    code: 'wrong-provider',
    path: ['spec', 'provisioning', 'provider'],
    what: `'${from}' is of ${providers.join(' and ')}, and the provider is ${provider}`,
    hint: 'Name an instance type of that cloud in spec.from, or leave the provider out',
  };
}

/** Another instance type than the one that the class is made from. */
function* otherTypes(
  own: DeclaredProvisioning | undefined,
  types: readonly InstanceType[],
  from: string,
): Generator<Finding> {
  for (const cloud of own ? CLOUDS : []) {
    const written = own && typeIn(cloud, own);
    const meant = types.find((type) => cloudOf(type) === cloud);
    if (written === undefined || !meant || nameOnCloud(meant) === written) continue;
    yield {
      code: 'contradiction',
      path: ['spec', 'provisioning', ...cloud.typePath],
      what: `'${written}' contradicts '${from}' of spec.from`,
      hint: 'Keep one of the two',
    };
  }
}
