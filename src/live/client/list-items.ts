import { isMap } from '../../base/json';
import { clipText } from '../../base/text';
import type { LiveMetadata } from '../../manifest/kubernetes/live-object';

/** An item of a list of an API server, which has the fields that all objects have. */
export interface ListItem {
  readonly metadata: LiveMetadata;
  readonly [field: string]: unknown;
}

/**
 * Reads the items of a list. Returns why it is malformed, as a clause: an API server writes no such list, so what it
 * lacks is unknown.
 */
export function readItems(items: readonly unknown[]): readonly ListItem[] | { readonly why: string } {
  const bad = items.findIndex((item) => !isListItem(item));
  if (bad !== -1) return { why: `item ${bad + 1} of its list is not a Kubernetes object` };
  return (items as ListItem[]).map(clipMessages);
}

/** The maximum length of names in Kubernetes. */
const MAX_NAME_LENGTH = 253;

function isListItem(item: unknown): item is ListItem {
  if (!isMap(item) || !isMap(item['metadata'])) return false;
  const { name, namespace = '', labels, annotations } = item['metadata'];
  return isName(name) && name !== '' && isName(namespace) && [labels, annotations].every(isTexts);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
}

/** Whether a value is a map of texts, or absent. */
function isTexts(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return isMap(value) && Object.values(value).every((text) => typeof text === 'string');
}

/** The fields with texts of controllers, which end up in messages. All others are compared with declarations. */
const MESSAGE_HOLDERS = ['status', 'message', 'reason', 'note'] as const;

function clipMessages(item: ListItem): ListItem {
  const texts = MESSAGE_HOLDERS.flatMap((key) => (key in item ? [[key, clipTexts(item[key])]] : []));
  return texts.length === 0 ? item : { ...item, ...Object.fromEntries(texts) };
}

/** A copy with long texts shortened. The depth of answers is limited when they are parsed. */
function clipTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? clipText(value) : value;
  if (Array.isArray(value)) return value.map(clipTexts);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clipTexts(inner)]));
}

const MAX_TEXT_LENGTH = 1000;
