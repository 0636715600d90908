import type { z } from 'zod';
import { validate } from '../api/reading/validate';
import type { Problem } from '../errors';
import type { Ignored } from '../manifest/load-files';
import type { SourceFile } from '../manifest/source';
import { groupBy, sortedBy } from '../order';
import { newest, newestTime } from './as-of';
import { type Node, node } from './node';
import { type Pod, pod } from './pod';
import type { RawObject } from './read-objects';
import type { Recorded, Snapshot } from './recorded';
import { type Slice, slice } from './slice';

/** What is kept of each object, whatever its kind. */
interface Kept {
  readonly cluster: string;
  readonly kind: ReadKind;
  readonly id: string;
  readonly recorded: Recorded<unknown>;
}

interface Schemas {
  readonly 'v1 Node': z.ZodType<Node>;
  readonly 'v1 Pod': z.ZodType<Pod>;
  readonly 'resource.k8s.io/v1 ResourceSlice': z.ZodType<Slice>;
}
type ReadKind = keyof Schemas;

/** The kinds that are read. */
const SCHEMAS: Schemas = { 'v1 Node': node, 'v1 Pod': pod, 'resource.k8s.io/v1 ResourceSlice': slice };

function isRead(what: string): what is ReadKind {
  return Object.hasOwn(SCHEMAS, what);
}

/** Collects objects of clusters as they are read, and what is wrong with them. */
export class Objects {
  readonly #kept = new Map<string, Kept>();
  readonly #times = new Map<string, string>();
  readonly #ignored = new Map<string, number>();

  constructor(private readonly problems: Problem[]) {}

  add(cluster: string, object: RawObject | Problem): void {
    if (!('value' in object)) {
      this.problems.push(object);
      return;
    }
    const what = `${object.apiVersion} ${object.kind}`;
    if (isRead(what)) this.#keep(cluster, what, object);
    else this.#ignored.set(what, (this.#ignored.get(what) ?? 0) + 1);
  }

  #keep(cluster: string, kind: ReadKind, { value, place }: RawObject): void {
    const checked = validate<Node | Pod | Slice>(SCHEMAS[kind], value);
    if ('findings' in checked) {
      const told = checked.findings.map(({ path, ...said }) => ({ where: place(path), ...said }));
      this.problems.push(...told);
      return;
    }
    const { namespace, name } = checked.value.metadata;
    const id = namespace === undefined ? name : `${namespace}/${name}`;
    const key = JSON.stringify([cluster, kind, id]);
    const first = this.#kept.get(key);
    if (first) this.problems.push(twice(kind, id, place, first));
    this.#kept.set(key, { cluster, kind, id, recorded: { value: checked.value, place } });
    const time = newestTime(value);
    if (time !== undefined) {
      this.#times.set(cluster, newest([time, this.#times.get(cluster) ?? time]) ?? time);
    }
  }

  snapshots(files: ReadonlyMap<string, readonly SourceFile[]>): Snapshot[] {
    const kept = groupBy(this.#kept.values(), ({ cluster }) => cluster);
    return sortedBy(files, ([cluster]) => cluster).map(([cluster, own]) => {
      const objects = sortedBy(kept.get(cluster) ?? [], ({ id }) => id);
      const asOf = this.#times.get(cluster);
      return {
        cluster,
        files: own.map(({ path }) => path),
        nodes: ofKind<Node>(objects, 'v1 Node'),
        slices: ofKind<Slice>(objects, 'resource.k8s.io/v1 ResourceSlice'),
        pods: ofKind<Pod>(objects, 'v1 Pod'),
        ...(asOf !== undefined && { asOf }),
      };
    });
  }

  ignored(): Ignored[] {
    return sortedBy(this.#ignored, ([what]) => what).map(([what, count]) => ({ what, count }));
  }
}

function ofKind<T extends Node | Pod | Slice>(objects: readonly Kept[], kind: ReadKind): Recorded<T>[] {
  return objects.flatMap((one) => (one.kind === kind ? [one.recorded as Recorded<T>] : []));
}

const NAME = ['metadata', 'name'] as const;

function twice(kind: ReadKind, id: string, place: RawObject['place'], { recorded }: Kept): Problem {
  return {
    code: 'duplicate-object',
    where: place(NAME),
    what: `${kind} ${id} was recorded twice, first at ${recorded.place(NAME)}`,
    hint: 'Keep the newer of the two',
  };
}
