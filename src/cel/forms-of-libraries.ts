import type { Miss } from './forms';
import type { Reading } from './reading';
import { readsDevice } from './relation';
import { shown } from './shown';
import { callOf, type Node } from './syntax';

/** What a text is that a function is true of. */
const READ: Readonly<Record<string, string>> = {
  isIP: 'an IP address',
  isCIDR: 'a network',
  isURL: 'a URL',
  isQuantity: 'a quantity',
  isSemver: 'a semantic version',
};

const INSIDE = new Set(['containsIP', 'containsCIDR']);

/** `isIP(device.attributes["domain"].address)` */
export function readable({ node, wanted }: Miss, reading: Reading): string | undefined {
  const call = callOf(node);
  const noun = call && !call.receiver ? READ[call.name] : undefined;
  const named = noun === undefined ? undefined : subject(call?.args[0], reading);
  return named && `${named} is ${wanted ? noun?.replace(/^an? /, 'no ') : noun}`;
}

/** `cidr("10.0.0.0/8").containsIP(device.attributes["domain"].address)` */
export function inside({ node, wanted }: Miss, reading: Reading): string | undefined {
  const call = callOf(node);
  if (!call?.receiver || !INSIDE.has(call.name) || readsDevice(call.receiver)) return undefined;
  const named = subject(call.args[0], reading);
  return named && `${named} is ${wanted ? 'not ' : ''}in ${shown(reading.value(call.receiver))}`;
}

/** `format.dns1123Label().validate(device.attributes["domain"].name).hasValue()`, true of a text that is none. */
export function formatted({ node, wanted }: Miss, reading: Reading): string | undefined {
  const outer = callOf(node);
  const call = outer?.name === 'hasValue' && outer.receiver ? callOf(outer.receiver) : undefined;
  if (call?.name !== 'validate' || !call.receiver || readsDevice(call.receiver)) return undefined;
  const named = subject(call.args[0], reading);
  return named && `${named} is ${wanted ? 'a' : 'no'} ${shown(reading.value(call.receiver))}`;
}

/** `address "10.0.0.7"` */
function subject(node: Node | undefined, reading: Reading): string | undefined {
  if (!node || !readsDevice(node)) return undefined;
  const value = shown(reading.value(node));
  return value === undefined ? undefined : `${reading.label(node)} ${value}`;
}
