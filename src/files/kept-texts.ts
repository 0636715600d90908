import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../base/digest';
import type { FileTexts, TextMemo } from '../render/fleet';

/** A text that outlives a run. It only saves time: where it is lost, the next run makes it again. */
export interface KeptRecord {
  /** Undefined where there is none, or another one than was kept. */
  readonly read: () => string | undefined;
  readonly keep: (text: string) => void;
}

/** What the files of a cluster were rendered from, and the texts that they came to. */
interface RenderedCluster {
  /** A digest. */
  readonly input: string;
  readonly files: readonly RenderedFile[];
}

interface RenderedFile {
  readonly path: string;
  readonly bytes: number;
  readonly digest: string;
}

/**
 * Finds the texts of clusters that an earlier run rendered from the same input. The record has digests only: the texts are
 * in the output folder, as long as all files of a cluster have the bytes that were rendered. Otherwise the cluster is
 * rendered again.
 */
export class KeptTexts {
  readonly #before: ReadonlyMap<string, RenderedCluster>;
  readonly #after = new Map<string, RenderedCluster>();

  /** The files that had the bytes that were rendered. */
  readonly #found = new Map<string, FoundFile>();

  constructor(
    private readonly folder: string,
    private readonly record: KeptRecord,
  ) {
    this.#before = new Map(JSON.parse(record.read() ?? '[]') as [string, RenderedCluster][]);
  }

  readonly textsOf: TextMemo = (cluster, input, render) => {
    if (input === undefined) return render();
    const known = this.#before.get(cluster);
    const found = known?.input === input ? this.#findTexts(known.files) : undefined;
    if (known && found) {
      this.#after.set(cluster, known);
      return found;
    }
    const texts = render();
    this.#after.set(cluster, { input, files: Array.from(texts, ([path, text]) => describeFile(path, text)) });
    return texts;
  };

  /** Whether a file was found with a text, and has not changed since. */
  readonly isUnchanged = (path: string, text: string): boolean => {
    const found = this.#found.get(path);
    return found?.text === text && found.identity === identityOf(findFile(join(this.folder, path)));
  };

  /** Records for the next run what clusters were rendered from, where that changed. */
  keep(): void {
    const isSame = [...this.#after].every(([cluster, rendered]) => this.#before.get(cluster) === rendered);
    if (isSame && this.#after.size === this.#before.size) return;
    this.record.keep(JSON.stringify([...this.#after]));
  }

  #findTexts(files: readonly RenderedFile[]): FileTexts | undefined {
    const texts = new Map<string, string>();
    for (const file of files) {
      const found = findText(join(this.folder, file.path), file);
      if (!found) return undefined;
      this.#found.set(file.path, found);
      texts.set(file.path, found.text);
    }
    return texts;
  }
}

interface FoundFile {
  readonly text: string;

  /** What is another one after each change of the file. */
  readonly identity: string | undefined;
}

function findText(path: string, { bytes, digest }: RenderedFile): FoundFile | undefined {
  const stat = findFile(path);
  if (stat?.size !== bytes) return undefined;
  const content = ignoreErrors(() => readFileSync(path));
  if (!content || digestText(content) !== digest) return undefined;
  return { text: content.toString(), identity: identityOf(stat) };
}

/** What the system says of a file. Undefined for everything else at a path. */
function findFile(path: string): Stats | undefined {
  const stat = ignoreErrors(() => lstatSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() ? stat : undefined;
}

function identityOf(stat: Stats | undefined): string | undefined {
  return stat && `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

/** Who writes the folder looks at each file again, and reports what is in the way. */
function ignoreErrors<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

function describeFile(path: string, text: string): RenderedFile {
  return { path, bytes: Buffer.byteLength(text), digest: digestText(text) };
}
