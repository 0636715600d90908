import { type CheckedNode, checkedNode, type Declaration } from './checked-node';
import { failure, type Type } from './macro';
import { children, type Node } from './syntax';

type Check = CheckedNode['meta']['check'];
type Checker = Parameters<Check>[0];

/** Parts whose operands cel-go lets be null, with the types that they have then. */
const OPERATIONS: Readonly<Record<string, (node: Node, checker: Checker) => Type | undefined>> = {
  call: typeOfCall,
  rcall: typeOfCall,
  '?:': otherSide,
  in: membership,
};

/** Types that have null among their values for cel-go: those of messages, and optionals. */
const NULLABLE = new Set(['message', 'optional']);

/**
 * The check of a part that lets null stand for a value of a type of Kubernetes: `null.isLoopback()`. cel-go finds that
 * wrong only when it runs.
 */
export function lettingNull(node: Node, check: Check): Check {
  const typeWithNull = OPERATIONS[node.op];
  if (!typeWithNull) return check;
  return (...site) => {
    try {
      return check(...site);
    } catch (error) {
      const type = typeWithNull(node, site[0]);
      if (type) return type;
      throw error;
    }
  };
}

/** The type of a choice between null and something else. */
function otherSide(node: Node): Type | undefined {
  const [, yes, no] = children(node).map((side) => checkedNode(side).checkedType);
  if (yes?.name === 'null' && isNullable(no)) return no;
  return no?.name === 'null' && isNullable(yes) ? yes : undefined;
}

/** `null in [quantity("1")]` */
function membership(node: Node, checker: Checker): Type | undefined {
  const [value, range] = children(node).map((operand) => checkedNode(operand).checkedType);
  if (value?.name !== 'null' || range?.kind !== 'list' || !isNullable(range.valueType)) return undefined;
  checkedNode(node).handle = () => false;
  return checker.getType('bool');
}

function typeOfCall(node: Node): Type | undefined {
  const operands = children(node).map((operand) => checkedNode(operand).checkedType);
  const checked = checkedNode(node);
  if (!checked.candidates || !operands.some((type) => type?.name === 'null')) return undefined;
  const found = [...checked.candidates].find((one) => takes(one, operands));
  checked.handle ??= () => {
    throw failure('no such overload: null is no value of a type of Kubernetes', node);
  };
  return found?.returnType;
}

function takes({ receiverType, argTypes }: Declaration, operands: readonly (Type | undefined)[]): boolean {
  const declared = receiverType ? [receiverType, ...argTypes] : argTypes;
  return declared.every((type, i) => {
    const operand = operands[i];
    return operand?.name === 'null' ? isNullable(type) : operand !== undefined && type.matches(operand);
  });
}

function isNullable(type: Type | undefined): boolean {
  return type !== undefined && NULLABLE.has(type.kind);
}
