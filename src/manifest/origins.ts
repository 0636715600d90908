import type { ParsedNode } from 'yaml';
import { resourceId } from '../api/kinds';
import type { Locate, Path } from '../api/resource';
import { type Anchors, anchorsIn } from './anchors';
import { readAgain } from './documents';
import { offsetOf } from './positions';
import type { Source } from './source';

/** The text of one document in its file: all that is kept of it once its resources are read. */
export interface Extent {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Where a resource was declared: its document, and its path in it if that is a list. */
export interface Origin {
  readonly extent: Extent;
  readonly path: Path;
}

interface Tree {
  readonly root: ParsedNode;
  readonly anchors: Anchors;
}

/** Documents whose nodes stay in memory once a place in them was asked for: the next is often in the same one. */
const TREES_KEPT = 16;

/**
 * Finds the places of resources by `resourceId`, so that a changed copy of one still has a place.
 *
 * Most documents are never asked about, and the nodes of all would take ten times the memory of their
 * text: so the text is read again when somebody asks.
 */
export function locator(origins: ReadonlyMap<string, Origin>): Locate {
  const trees = new Map<Extent, Tree | undefined>();
  return (resource, path) => {
    const id = resourceId(resource);
    const origin = origins.get(id);
    if (!origin) return id;
    const { extent } = origin;
    if (!trees.has(extent)) {
      const [oldest] = trees.keys();
      if (oldest && trees.size >= TREES_KEPT) trees.delete(oldest);
      trees.set(extent, treeOf(extent));
    }
    const tree = trees.get(extent);
    const offset = tree ? offsetOf(tree.root, [...origin.path, ...path], tree.anchors) : 0;
    return extent.source.place(extent.start + offset);
  };
}

function treeOf({ source, start, end }: Extent): Tree | undefined {
  const root = readAgain(source.text.slice(start, end));
  return root ? { root, anchors: anchorsIn(root) } : undefined;
}
