import { type Diagnostic, errorAt, relocate, type Span, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { type AttributeRow, NODE_DRIVER } from '../../catalog/drivers';
import { stringLiteralOf } from '../../cel/syntax-tree';
import type { KnownAttribute, UnstatedDevice } from './known-attributes';
import type { AttributeRead, SelectorContext } from './selector-context';

/** The word for an entry of each map in messages. */
const NOUNS = { attributes: 'attribute', capacity: 'capacity' } as const;

/** Checks the names that a selector reads. */
export function* checkAttributeNames(subject: SelectorContext): Generator<Diagnostic<Span>> {
  for (const read of subject.reads) {
    const attribute = subject.vocabulary.find(read.from, read.domain, read.name);
    const found = attribute
      ? (checkIdentity(read, attribute) ??
        checkUnstated(subject, read, attribute) ??
        checkUnguarded(subject, read, attribute))
      : checkUnknown(subject, read);
    if (found) yield relocate(found, () => subject.span(read.node));
  }
}

/** What is wrong with a name, wherever it is read. */
type UnplacedRemark = Diagnostic<undefined>;

/** Checks a name that no class states and no driver of the catalog publishes. */
function checkUnknown(subject: SelectorContext, read: AttributeRead): UnplacedRemark {
  const { vocabulary } = subject;
  const { from, domain, name, part } = read;
  const needed = read.tested ? part.wanted : !subject.guards(read);
  const neverTrue = part.certain && needed;
  const found = neverTrue ? errorAt : warningAt;
  if (!vocabulary.domains.includes(domain)) {
    const meant = suggestName(domain, vocabulary.domains);
    const hint = meant ? `Use '${meant}'` : `Use one of ${vocabulary.domains.join(', ')}`;
    return found('unknown-domain', undefined, `no device publishes attributes or capacities of '${domain}'`, hint);
  }
  const what = `no device publishes the ${NOUNS[from]} '${name}' of ${domain}`;
  return found('unknown-attribute', undefined, what, suggestReadName(subject, read));
}

function suggestReadName({ vocabulary }: SelectorContext, { from, domain, name }: AttributeRead): string {
  const other = from === 'attributes' ? 'capacity' : 'attributes';
  if (vocabulary.find(other, domain, name)) {
    const noun = other === 'capacity' ? 'a capacity' : 'an attribute';
    return `It is ${noun}: write device.${other}["${domain}"].${name}`;
  }
  const meant = suggestName(name, vocabulary.names(from, domain));
  return meant ? `Use '${meant}'` : `Declare it in the class if its driver publishes it`;
}

/** Checks for a name that identifies a single physical device. */
function checkIdentity({ name }: AttributeRead, { known }: KnownAttribute): UnplacedRemark | undefined {
  if (!known?.identity) return undefined;
  const what = `'${name}' identifies one physical device, and no other device matches after that is replaced`;
  return warningAt('one-device', undefined, what, 'Select by an attribute that devices have in common');
}

/** Checks a name that the driver publishes and no class states: the plan cannot know its value. */
function checkUnstated(
  { vocabulary }: SelectorContext,
  read: AttributeRead,
  { known, statedBy }: KnownAttribute,
): UnplacedRemark | undefined {
  const device = vocabulary.findUnstatedDevice(read.from, read.domain, read.name);
  if (statedBy.length > 0 || !known || !device || (known.optional && (read.tested || read.optional))) return undefined;
  const what = `'${known.name}' is unknown: ${read.domain} publishes it, and no class declares it`;
  return warningAt('unstated-attribute', undefined, what, suggestClassLine(known, device));
}

/** Checks a name that some devices lack, but that the selector reads without a guard. */
function checkUnguarded(
  subject: SelectorContext,
  read: AttributeRead,
  { known }: KnownAttribute,
): UnplacedRemark | undefined {
  const { from, domain, name, tested } = read;
  if (!known?.optional || tested || domain === NODE_DRIVER || subject.guards(read)) return undefined;
  const what = `some devices do not publish '${name}', because ${known.optional}: the selector fails on them, and the cluster does not schedule the pod`;
  const hint = `Add "${name}" in device.${from}["${domain}"] && before it`;
  return warningAt('unguarded-attribute', undefined, what, hint);
}

/** Checks comparisons of the driver with a name that no driver has. */
export function* checkDriverNames(subject: SelectorContext): Generator<Diagnostic<Span>> {
  const { vocabulary } = subject;
  for (const { node, certain, wanted } of subject.parts) {
    if (node.op !== '==' && node.op !== '!=') continue;
    const [left, right] = node.args;
    const named = stringLiteralOf(left) ?? stringLiteralOf(right);
    const reads = [left, right].some((side) => side.op === '.' && side.args[1] === 'driver');
    if (!reads || named === undefined || vocabulary.drivers.includes(named)) continue;
    const meant = suggestName(named, vocabulary.drivers);
    yield (certain && wanted === (node.op === '==') ? errorAt : warningAt)(
      'unknown-driver',
      subject.span(node),
      `no device has the driver '${named}'`,
      meant ? `Use '${meant}'` : `Use one of ${vocabulary.drivers.join(', ')}`,
    );
  }
}

/** The line to add to a class so that the value that a driver publishes is known. A clause. */
export function suggestClassLine(
  { name, domain, type, sample }: AttributeRow,
  { className, device }: UnstatedDevice,
): string {
  const key = domain === undefined ? name : `${domain}/${name}`;
  const [map, line] =
    type === 'quantity'
      ? ['capacity', `${key}: { value: ${sample} }`]
      : ['attributes', `${key}: { ${type}: ${sample} }`];
  return `Add '${line}', with the value of your nodes, to ${map} of device '${device}' of InferenceClass '${className}'`;
}
