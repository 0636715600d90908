import { prepareDevice } from '../cel/device';
import { readsDevice } from '../cel/relation';
import { compileSelector } from '../cel/selector';
import { children, type Node } from '../cel/syntax';
import type { Remark } from './remark';
import type { Part, Subject } from './subject';

const NO_DEVICE = prepareDevice({ driver: '', attributes: {}, capacity: {} });

const SELF: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Parts that are the same whatever the device is. */
export function* constantRule(subject: Subject): Generator<Remark> {
  for (const part of subject.parts) {
    const value = constantOf(part, subject);
    if (value === undefined) continue;
    const neverTrue = part.certain && value !== String(part.wanted);
    const said = value === 'error' ? 'always fails' : `is always ${value}`;
    yield {
      code: 'constant-condition',
      severity: neverTrue ? 'error' : 'warning',
      ...subject.span(part.node),
      what: `${subject.text(part.node)} ${said}, whatever the device is`,
      hint: 'Say what a device must be, or remove it; device.driver == "gpu.nvidia.com" takes any GPU of that driver',
    };
  }
}

function constantOf({ node }: Part, subject: Subject): 'true' | 'false' | 'error' | undefined {
  if (comparesWithItself(node, subject))
    return node.op === '==' || (node.op.endsWith('=') && node.op !== '!=') ? 'true' : 'false';
  if (readsDevice(node)) return undefined;
  const { kind } = compileSelector(subject.text(node)).match(NO_DEVICE);
  return kind === 'error' ? 'error' : kind === 'match' ? 'true' : 'false';
}

function comparesWithItself(node: Node, subject: Subject): boolean {
  const [left, right] = children(node);
  return SELF.has(node.op) && !!left && !!right && subject.text(left) === subject.text(right);
}
