import { FORMS, type Miss, nounOf, publishes } from './forms';
import type { Reading } from './reading';
import { readsDevice } from './relation';
import type { Outcome } from './selector';
import { shown } from './shown';
import { type Access, accessOf, type Node, nodesOf } from './syntax';

/** The most alternatives of `||` that are named one by one. */
const MOST_ALTERNATIVES = 3;

/** Why a device misses a part of a selector, whose outcome for it is no match or an error. */
export function sentenceFor(node: Node, outcome: Outcome, reading: Reading): string {
  if (outcome.kind === 'error') return failed(node, outcome.message, reading);
  return (
    explain({ node, wanted: true }, reading) ?? `${reading.text(node)} is false${valuesRead(node, reading)}`
  );
}

function explain(miss: Miss, reading: Reading): string | undefined {
  const { node, wanted } = miss;
  if (node.op === '!_') return explain({ node: node.args, wanted: !wanted }, reading);
  if (node.op === '||' && wanted) return alternatives(node, reading);
  for (const form of FORMS) {
    const sentence = form(miss, reading);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/** All of `a || b` is false, so each has its reason. */
function alternatives(node: Node, reading: Reading): string | undefined {
  const parts = operands(node).map((part) => explain({ node: part, wanted: true }, reading));
  return parts.length > MOST_ALTERNATIVES || parts.includes(undefined) ? undefined : parts.join(', and ');
}

function operands(node: Node): readonly Node[] {
  return node.op === '||' ? node.args.flatMap(operands) : [node];
}

function failed(node: Node, message: string, reading: Reading): string {
  const absent = accesses(node).find(
    (access) => reading.published(access) === undefined && message.endsWith(`: ${access.name}`),
  );
  if (absent) return publishes(absent, reading);
  const access = accessOf(node);
  const value = access && shown(reading.value(node));
  if (value !== undefined) return `${reading.label(node)} is ${value}, not true or false`;
  return `${reading.text(node)} cannot be evaluated: ${message}`;
}

/** What a part read of the device: ` (architecture is "Hopper", no attribute "foo")`. */
function valuesRead(node: Node, reading: Reading): string {
  const texts = accesses(node).map((access) => {
    const value = reading.published(access);
    if (value === undefined) return `no ${nounOf(access)} ${JSON.stringify(reading.key(access))}`;
    const text = shown(value);
    return text && `${reading.key(access)} is ${text}`;
  });
  const known = [...new Set(texts)].filter((text) => text !== undefined);
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

/** The attributes and capacities below a node, but for those whose domain only a macro knows. */
function accesses(node: Node): readonly Access[] {
  return nodesOf(node).flatMap((part) => {
    const access = accessOf(part);
    return access && (access.domain.op === 'value' || readsDevice(access.domain)) ? [access] : [];
  });
}
