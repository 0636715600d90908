import { tryParseJson } from '../../base/json';
import { formatDocuments } from '../format-yaml';
import { sortForApply } from './apply-order';
import { NEVER_PRUNED } from './labels-and-annotations';
import type { Manifest } from './manifest';
import { DELETE_LIST_HEADER } from './synth-header';

/**
 * The file in the folder of a cluster with the objects to delete there. `kubectl delete -f` reads it. Its name has no
 * extension that `kubectl apply` of the folder, Argo CD or Flux reads, which would otherwise create the objects again.
 */
export const DELETE_LIST_FILE = '00-delete.yaml.txt';

/** A list of objects to delete, and their number. */
export interface DeleteList {
  readonly text: string;
  readonly objects: number;
}

/** The files of a cluster, as earlier runs wrote them and as this run does. */
export interface ClusterFiles {
  readonly cluster: string;

  /** The texts of earlier manifests and of the earlier list. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Lists the objects of a cluster that earlier runs wrote and this one does not. An object stays on the list, also when
 * nothing changes, until it is written again or its entry is deleted. Objects that no tool may prune are never listed.
 * Undefined if there is nothing to delete.
 */
export function updateDeleteList({ cluster, before, after }: ClusterFiles): DeleteList | undefined {
  const written = new Set(after.flatMap(scanObjects).map(identityOf));
  const gone = new Map(before.flatMap(scanObjects).map((object) => [identityOf(object), object]));
  const objects = [...gone].flatMap(([id, { isKept, manifest }]) => (isKept || written.has(id) ? [] : [manifest]));
  if (objects.length === 0) return undefined;
  const comment =
    `${DELETE_LIST_HEADER} ${cluster} earlier, and no longer writes. Delete them with ` +
    `'kubectl delete --ignore-not-found -f ${DELETE_LIST_FILE}', then delete this file.`;
  // Routes go before the workloads behind them.
  const ordered = sortForApply(objects).reverse();
  return {
    text: formatDocuments(
      ordered.map(({ apiVersion, kind, metadata: { name, namespace } }) => {
        return { apiVersion, kind, metadata: { ...(namespace !== undefined && { namespace }), name } };
      }),
      comment,
    ),
    objects: objects.length,
  };
}

interface WrittenObject {
  readonly manifest: Manifest;
  readonly isKept: boolean;
}

/** The identity of an object. The version of its API does not count. */
function identityOf({ manifest: { apiVersion, kind, metadata } }: WrittenObject): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return JSON.stringify([group, kind, metadata.namespace, metadata.name]);
}

/**
 * Finds the objects of a file that `formatDocuments` wrote. It reads lines instead of YAML, because the manifests of a
 * large fleet take a parser minutes.
 */
function scanObjects(text: string): WrittenObject[] {
  return text.split('\n---\n').flatMap((document) => {
    const root = fieldsOf(document, '');
    const metadata = fieldsOf(sectionOf(document, 'metadata'), '  ');
    const [apiVersion, kind, name] = [root.get('apiVersion'), root.get('kind'), metadata.get('name')];
    if (!apiVersion || !kind || !name) return [];
    const namespace = metadata.get('namespace');
    const annotations = fieldsOf(sectionOf(document, 'metadata'), '    ');
    const isKept = Object.entries(NEVER_PRUNED).every(([key, value]) => annotations.get(key) === value);
    const meta = { name, labels: {}, ...(namespace !== undefined && { namespace }) };
    return [{ manifest: { apiVersion, kind, metadata: meta }, isKept }];
  });
}

/** The lines below a key of the root. */
function sectionOf(document: string, key: string): string {
  const lines = document.split('\n');
  const start = lines.indexOf(`${key}:`) + 1;
  if (start === 0) return '';
  const length = lines.slice(start).findIndex((line) => !line.startsWith('  '));
  return lines.slice(start, length === -1 ? undefined : start + length).join('\n');
}

/** The scalar fields of lines with an indentation. */
function fieldsOf(text: string, indent: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(': ');
      const key = line.slice(indent.length, at);
      if (at === -1 || !line.startsWith(indent) || /^[\s#-]/.test(key)) return [];
      const value = line.slice(at + 2);
      const quoted = value.startsWith('"') ? tryParseJson(value) : value;
      return typeof quoted === 'string' ? [[key, quoted]] : [];
    }),
  );
}
