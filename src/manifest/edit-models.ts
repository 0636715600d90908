import { type Document, isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap, type YAMLSeq } from 'yaml';
import { isDeepEqual } from '../base/deep-equal';

/** A change of the models that an endpoint declares. */
export interface ModelsChange {
  readonly namespace: string;
  readonly name: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** A replacement of a part of a text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Changes the models of an endpoint in the text of a file. The rest of the text stays as it is, with its comments.
 * Nothing if the text does not declare the endpoint in a form that can be changed without doubt.
 */
export function editModels(text: string, change: ModelsChange): string | undefined {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return undefined;
  const index = documents.findIndex((document) => declaresEndpoint(document, change));
  const spec = documents[index]?.get('spec');
  if (!isMap(spec)) return undefined;
  const edits = editsOf(spec, text, change);
  if (!edits) return undefined;
  const edited = [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((whole, { from, to, text: part }) => `${whole.slice(0, from)}${part}${whole.slice(to)}`, text);
  return isOnlyChange(documents, parseAllDocuments(edited), index, change) ? edited : undefined;
}

function declaresEndpoint(document: Document, { namespace, name }: ModelsChange): boolean {
  if (!isMap(document.contents) || document.get('kind') !== 'ModelEndpoint') return false;
  const declared = document.getIn(['metadata', 'namespace']) ?? 'default';
  return document.getIn(['metadata', 'name']) === name && declared === namespace;
}

function editsOf(spec: YAMLMap, text: string, change: ModelsChange): readonly Edit[] | undefined {
  const pair = spec.items.find(({ key }) => isScalar(key) && key.value === 'models');
  if (!pair) return insertModels(spec, text, change);
  if (!isSeq(pair.value) || !pair.value.range) return undefined;
  return pair.value.flow ? replaceFlow(pair.value, change) : changeLines(pair.value, text, change);
}

/** Inserts the models before the first field of a spec. */
function insertModels(spec: YAMLMap, text: string, { added }: ModelsChange): Edit[] | undefined {
  const [first] = spec.items;
  const at = isScalar(first?.key) ? first.key.range?.[0] : undefined;
  if (at === undefined) return undefined;
  const models = `models: ${formatFlow(added)}`;
  return [{ from: at, to: at, text: spec.flow ? `${models}, ` : `${models}${lineEndOf(text)}${indentAt(text, at)}` }];
}

function replaceFlow(models: YAMLSeq, change: ModelsChange): Edit[] {
  const [from = 0, to = 0] = models.range ?? [];
  return [{ from, to, text: formatFlow(changedModels(models, change)) }];
}

/** Removes the lines of models that are gone, and adds lines after the last one. */
function changeLines(models: YAMLSeq, text: string, { added, gone }: ModelsChange): Edit[] | undefined {
  const lines = models.items.flatMap((item) => {
    if (!isScalar(item) || !item.range) return [];
    const from = text.lastIndexOf('\n', item.range[0] - 1) + 1;
    const end = text.indexOf('\n', item.range[1]);
    return [{ value: item.value, from, to: end === -1 ? text.length : end + 1 }];
  });
  const last = lines.at(-1);
  if (!last || lines.length < models.items.length) return undefined;
  const removed = lines.filter(({ value }) => gone.includes(String(value)));
  const start = `${text.slice(last.from).match(/^[ \t]*/)?.[0] ?? ''}- `;
  const ending = lineEndOf(text);
  const before = text.slice(0, last.to).endsWith('\n') ? '' : ending;
  const inserted = added.map((name) => `${start}${formatName(name)}${ending}`).join('');
  return [
    ...removed.map(({ from, to }) => ({ from, to, text: '' })),
    ...(inserted === '' ? [] : [{ from: last.to, to: last.to, text: `${before}${inserted}` }]),
  ];
}

/** The text between the start of the line of an offset and the offset, as spaces. */
function indentAt(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function formatFlow(names: readonly string[]): string {
  return `[${names.map(formatName).join(', ')}]`;
}

/** Names that YAML reads as text without quotes, wherever they are. */
const PLAIN_NAME = /^[A-Za-z][\w./-]*$/;
const KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

function formatName(name: string): string {
  return PLAIN_NAME.test(name) && !KEYWORDS.has(name.toLowerCase()) ? name : JSON.stringify(name);
}

function changedModels(models: YAMLSeq | undefined, { added, gone }: ModelsChange): string[] {
  const declared = (models?.items ?? []).map((item) => (isScalar(item) ? String(item.value) : ''));
  return [...declared.filter((name) => !gone.includes(name)), ...added];
}

/** Whether documents differ only by the change of an endpoint. */
function isOnlyChange(
  before: readonly Document[],
  after: readonly Document[],
  index: number,
  change: ModelsChange,
): boolean {
  const wanted = before.map((document, i) => {
    const value: unknown = document.toJS();
    if (i !== index) return value;
    const models = document.getIn(['spec', 'models']);
    const { spec, ...rest } = value as { readonly spec: object };
    return { ...rest, spec: { ...spec, models: changedModels(isSeq(models) ? models : undefined, change) } };
  });
  return (
    after.every(({ errors }) => errors.length === 0) &&
    isDeepEqual(
      after.map((one) => one.toJS() as unknown),
      wanted,
    )
  );
}
