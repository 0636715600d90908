import { basename } from 'node:path';
import type { z } from 'zod';
import { validate } from '../api/reading/validate';
import type { Problem } from '../errors';
import type { Ignored } from '../manifest/load';
import { LIMITS, type Limits } from '../manifest/limits';
import { withinLimits } from '../manifest/raw-text';
import type { SourceFile } from '../manifest/source';
import { nearest } from '../nearest';
import { groupBy, sortedBy } from '../order';
import { newest, newestTime } from './as-of';
import { type Node, node } from './node';
import { type Pod, pod } from './pod';
import { type RawObject, readObjects } from './read-objects';
import type { Recorded, Snapshot } from './recorded';
import { type Slice, slice } from './slice';

/** Everything that was recorded, by cluster. */
export interface Recording {
  /** By cluster. */
  readonly snapshots: readonly Snapshot[];
  /** Objects of kinds that are not read, sorted. */
  readonly ignored: readonly Ignored[];
  readonly problems: readonly Problem[];
}

/**
 * Reads files of recorded objects. The name of a file says of which cluster it is: what stands before the first
 * dot, so that a cluster may have several files (`us.yaml`, `us.pods.yaml`).
 *
 * @param clusters the names of the clusters of the fleet
 * @param limits default: `LIMITS`
 */
export function readSnapshots(
  files: readonly SourceFile[],
  clusters: readonly string[],
  limits: Limits = LIMITS,
): Recording {
  const problems: Problem[] = [];
  const readable = withinLimits(
    sortedBy(files, ({ path }) => path),
    limits,
    problems,
  );
  const known = new Set(clusters);
  const objects = new Objects(problems);
  for (const file of readable) {
    const cluster = clusterOf(file);
    if (!known.has(cluster)) problems.push(otherCluster(file, clusters));
    else for (const one of readObjects(file, limits)) objects.add(cluster, one);
  }
  const byCluster = groupBy(readable, clusterOf);
  return { snapshots: objects.snapshots(byCluster), ignored: objects.ignored(), problems };
}

function clusterOf({ path }: SourceFile): string {
  return basename(path).split('.')[0] ?? '';
}

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

/** Collects objects as they are read. */
class Objects {
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

function otherCluster(file: SourceFile, clusters: readonly string[]): Problem {
  const name = clusterOf(file);
  const meant = nearest(name, clusters);
  return {
    code: 'unknown-cluster',
    where: file.path,
    what: `this is the snapshot of a cluster '${name}', which the fleet does not have`,
    hint: meant ? `Name it after '${meant}' if it is of that one` : 'Name the file CLUSTER.yaml',
  };
}
