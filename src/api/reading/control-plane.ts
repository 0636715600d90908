import type { Group } from '../resource';

/** The field of a spec in which Crossplane notes what it made from the object. */
const NOTES = 'crossplane';

/**
 * A document as its author wrote it. Objects of the alias group are read by Crossplane, which writes into their
 * specs; an export of them has that too, and here it means nothing.
 */
export function asWritten(document: unknown, group: Group): unknown {
  if (group !== 'modelplane.ai' || !isMap(document) || !isMap(document['spec'])) return document;
  const { [NOTES]: _, ...spec } = document['spec'];
  return { ...document, spec };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
