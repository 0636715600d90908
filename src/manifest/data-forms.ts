import { isMap, type ParsedNode } from 'yaml';
import type { Anchors } from './anchors';
import { keyText } from './keys';

/** A file beside manifests that is none, and says so by its fields alone. */
export interface DataForm {
  /** All fields that it may have, in order. */
  readonly fields: readonly string[];

  /** What it holds. */
  readonly noun: string;

  /** The field of the Fleet that names it. Absent: the command line does. */
  readonly named?: string;
}

/** The files that have a schema of their own. */
export const DATA_FORMS: readonly DataForm[] = [
  { fields: ['scenarios'], noun: 'scenarios' },
  { fields: ['rules'], noun: 'rules', named: 'policies' },
  { fields: ['currency', 'prices', 'discounts', 'storage'], noun: 'prices', named: 'prices' },
  { fields: ['gpus', 'instanceTypes', 'macros'], noun: 'rows of a catalogue', named: 'catalogue' },
];

/** The form of a document that has none but fields of one. */
export function dataFormOf(root: ParsedNode, anchors: Anchors): DataForm | undefined {
  if (!isMap(root) || root.items.length === 0) return undefined;
  const keys = root.items.map(({ key }) => keyText(key, anchors) ?? '');
  return DATA_FORMS.find(({ fields }) => keys.every((key) => fields.includes(key)));
}
