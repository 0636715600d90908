import { LOCK_FILE } from '../scheduler/lock';

/** Names of files that hold manifests. */
const MANIFEST = /\.(?:ya?ml|json)$/;

/** Files of other programs, and our own lock, that stand beside manifests and look like them. */
const OTHER_FILES: ReadonlySet<string> = new Set([
  LOCK_FILE,
  'cdk8s.yaml',
  'kustomization.yaml',
  'kustomization.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]);

/** A Pulumi project, and the settings of its stacks. */
const PULUMI = /^Pulumi.*\.ya?ml$/;

/** Whether a file of a folder is read, by its name. */
export function isManifestFile(name: string): boolean {
  return MANIFEST.test(name) && !name.startsWith('.') && !OTHER_FILES.has(name) && !PULUMI.test(name);
}

/** Whether a folder in a folder is read, by its name. */
export function isManifestFolder(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}
