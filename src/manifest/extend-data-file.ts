import { isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { formatDocuments } from './format-yaml';

/** Rows to add to a list of a data file. */
export interface AddedRows {
  /** The top-level list. */
  readonly field: string;
  readonly rows: readonly object[];

  /** The field by which a row replaces an existing one. Default: rows are only added. */
  readonly key?: string;
}

/**
 * Adds rows to a list of a data file. Comments and all other content stay.
 *
 * @param text a valid data file. Undefined: there is none yet
 * @param comment the first line of a new file
 */
export function extendDataFile(text: string | undefined, { field, rows, key }: AddedRows, comment: string): string {
  if (text === undefined) return formatDocuments([{ [field]: rows }], comment);
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const found = document.get(field);
  const list = isSeq(found) ? found : document.createNode<readonly object[]>([]);
  for (const row of rows) putRow(list as YAMLSeq, document.createNode(row), key);
  if (list !== found) document.set(field, list);
  return document.toString({ lineWidth: 0 });
}

function putRow(list: YAMLSeq, node: unknown, key: string | undefined): void {
  const nameOf = (one: unknown): unknown => (key !== undefined && isMap(one) ? one.get(key) : undefined);
  const name = nameOf(node);
  const at = name === undefined ? -1 : list.items.findIndex((one) => nameOf(one) === name);
  if (at >= 0) list.items[at] = node;
  else list.items.push(node);
}
