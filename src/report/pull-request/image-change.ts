import { groupBy, sortUnique } from '../../base/order';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatValue } from '../diff/field-changes-text';

/** A change of the image of a deployment. */
export interface ImageChange {
  /** The pods of gangs whose image changes, where that of the others does not. */
  readonly pods?: 'leaders' | 'workers';
  readonly before: string;
  readonly after: string;
}

/** The change of the first image of a declaration that changes. Tags alone, if the repository stays. */
export type FindImageChange = (declaration: DeclarationChange | undefined) => ImageChange | undefined;

/** Creates a function that finds the change of the image of a declaration in the changes of objects. */
export function createImageChangeFinder(objects: FleetDiff['objects']): FindImageChange {
  const gangs = objects.filter(({ kind }) => kind === 'LeaderWorkerSet');
  const pairs = gangs.flatMap((gang) => sortUnique(gang.causes.map(({ id }) => id)).map((id) => ({ id, gang })));
  const byCause = groupBy(pairs, ({ id }) => id);
  return (declaration) => {
    const changed = byCause.get(declaration?.id ?? '') ?? [];
    return findImageChange(
      declaration,
      changed.map(({ gang }) => gang),
    );
  };
}

function findImageChange(
  declaration: DeclarationChange | undefined,
  gangs: FleetDiff['objects'],
): ImageChange | undefined {
  const field = declaration?.fields.find(({ path }) => path.at(-1) === 'image');
  if (typeof field?.before !== 'string' || typeof field.after !== 'string') return undefined;
  const [was, is] = [splitImage(field.before), splitImage(field.after)];
  const version = was.repository === is.repository;
  const pods = findOnlyPods(gangs);
  return {
    ...(pods && { pods }),
    before: formatValue(version ? was.version : field.before),
    after: formatValue(version ? is.version : field.after),
  };
}

const DIGEST_CHARACTERS = 'sha256:'.length + 12;

/** `vllm-openai:v0.24.0` of `docker.io/vllm/vllm-openai:v0.24.0`. */
export function shortenImage(image: string): string {
  const { repository, version } = splitImage(image);
  return `${repository.slice(repository.lastIndexOf('/') + 1)}:${version}`;
}

/** Splits an image reference at its tag or digest. A digest is shortened. */
function splitImage(image: string): { readonly repository: string; readonly version: string } {
  const [name = '', digest] = image.split('@', 2);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  const [repository, version] = tag === -1 ? [name, 'latest'] : [name.slice(0, tag), name.slice(tag + 1)];
  return { repository, version: digest?.slice(0, DIGEST_CHARACTERS) ?? version };
}

/** Which pods of gangs get another image, where that of the others stays. */
function findOnlyPods(gangs: FleetDiff['objects']): ImageChange['pods'] {
  const paths = gangs.flatMap(({ fields }) => fields.map(({ path }) => path)).filter((path) => path.at(-1) === 'image');
  const [leaders, workers] = ['leaderTemplate', 'workerTemplate'].map((name) => paths.some((path) => path[2] === name));
  if (leaders === workers) return undefined;
  return leaders ? 'leaders' : 'workers';
}
