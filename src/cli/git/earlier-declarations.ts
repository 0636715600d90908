import { dirname, join, relative } from 'node:path';
import { realpathSync } from 'node:fs';
import { type Resource, resourceIdOf } from '../../api/kinds';
import { FleetwrightError } from '../../base/errors';
import { isFolder } from '../../files/fleet-paths';
import { applyModelDefinitions, withoutDefinition } from '../../files/model-definitions';
import { readTree } from '../../files/read-tree';
import { separateReferencedFiles } from '../../files/referenced-files';
import { withWorkFolder } from '../../files/work-folder';
import { loadManifests } from '../../manifest/load-manifests';
import { exportCommit, readCommitTree } from './commit-tree';
import { findTopLevel } from './repository';

/**
 * Reads the resources that a commit declares, each with the values of its model definition at that commit, and without
 * those that have errors of their own. Empty if some of its files cannot be read: a resource in one of these could be
 * any.
 */
export function readResourcesAt(commit: string, target: string): readonly Resource[] {
  try {
    const top = findTopLevel(target);
    const real = realpathSync(target);
    const path = relative(top, real);
    const folder = relative(top, isFolder(real) ? real : dirname(real));
    return withWorkFolder((work) => {
      exportCommit(readCommitTree(commit, top, folder), top, folder, work);
      const files = separateReferencedFiles(readTree(join(work, path)), realpathSync(join(work, folder)));
      const { resources, problems, locate } = loadManifests(files.manifests);
      const { resources: defined, problems: wrongFiles } = applyModelDefinitions(resources, files.definitions, locate);
      const missing = files.missing.filter(({ code }) => code !== 'outside');
      const wrong = new Set([...problems, ...missing, ...wrongFiles].map(({ subject }) => subject));
      if (wrong.has(undefined)) return [];
      const isDefined = (one: Resource, r: number): boolean => one !== resources[r];
      const effective = defined.map((one, r) => (isDefined(one, r) ? withoutDefinition(one) : one));
      return effective.filter((resource) => !wrong.has(resourceIdOf(resource)));
    });
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  }
}
