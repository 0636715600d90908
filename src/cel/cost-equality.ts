import { comparison } from './cost-calls';
import { type Estimate, sizeOf, typeOf } from './estimate';
import { exactly, stepsOver } from './size';
import { children, type Node } from './syntax';

const TEXT = 0.1;

/** The most characters that Kubernetes reckons a format with a name to have. */
const MOST_OF_FORMAT = 64;

/** What `==` takes for two values of a type of Kubernetes. `!=` has no such figures. */
const KNOWN: Readonly<Record<string, (right: Estimate) => number>> = {
  'kubernetes.Quantity': () => 1,
  'kubernetes.Semver': () => 1,
  'net.IP': () => 1,
  'net.CIDR': () => 1,
  'kubernetes.URL': ({ size = exactly(1) }) => stepsOver(size.max, TEXT),
  'kubernetes.NamedFormat': () => stepsOver(MOST_OF_FORMAT, TEXT),
};

/** What `==` or `!=` takes besides the evaluation of its sides. */
export function equalityCost(node: Node, left: Estimate, right: Estimate): number {
  const [type, other] = children(node).map((operand) => typeOf(operand)?.name ?? '');
  const known = node.op === '==' && type === other ? KNOWN[type ?? ''] : undefined;
  return known ? known(right) : comparison(sizeOf(left), sizeOf(right));
}
