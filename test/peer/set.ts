import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KINDS } from '../../src/api/kind-table';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import type { Doc } from '../api/build';
import type { Pod } from '../render/build';

const FOLDER = join(__dirname, 'manifests');

/** The manifests as their user has them, by the path that they get in a workspace. */
export const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(FOLDER)
    .sort()
    .map((name) => [`fleet/${name}`, readFileSync(join(FOLDER, name), 'utf8')]),
);

/** Every object in some files, one in a List too. */
export function objectsIn<T = Doc>(texts: readonly string[]): T[] {
  const documents = texts.flatMap((text) => parseAllDocuments(text)).map((document) => document.toJS());
  return documents.flatMap((document) => (document.kind === 'List' ? document.items : [document]));
}

/** An object of the alias group as someone wrote it. */
export interface Declared {
  kind: string;
  metadata: { name: string; namespace: string; labels?: Record<string, string> };
  spec: Doc;
}

/** The objects of the alias group that are for us to read. */
export const DECLARED = objectsIn<Declared & { apiVersion: string }>(Object.values(FILES)).filter(
  ({ apiVersion, kind }) => apiVersion === 'modelplane.ai/v1alpha1' && KINDS.some((known) => known.kind === kind),
);

/** A deployment as someone wrote it. */
export interface Deployment extends Declared {
  spec: { replicas: number; template: { spec: { serving?: { mode?: string }; engines: Engine[] } } };
}

interface Engine {
  name: string;
  copies?: number;
  members: {
    role?: string;
    template: {
      metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
      spec: { containers: [Doc]; imagePullSecrets?: Doc[] };
    };
  }[];
}

/** The declared objects of a kind. */
export function declared<T = Declared>(kind: string): T[] {
  return DECLARED.filter((object) => object.kind === kind) as T[];
}

/** The pod templates of a Deployment or LeaderWorkerSet; none of anything else. */
export function podsOf({ kind, spec = {} }: Manifest): Pod[] {
  if (kind !== 'Deployment' && kind !== 'LeaderWorkerSet') return [];
  const gang = (spec['leaderWorkerTemplate'] ?? {}) as Doc;
  const templates = [spec['template'], gang['leaderTemplate'], gang['workerTemplate']];
  return templates.filter((template) => template !== undefined) as Pod[];
}
