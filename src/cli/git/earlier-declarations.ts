import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Resource, resourceIdOf } from '../../api/kinds';
import { FleetwrightError } from '../../base/errors';
import { readTree } from '../../files/read-tree';
import { separateReferencedFiles } from '../../files/referenced-files';
import { withWorkFolder } from '../../files/work-folder';
import { loadManifests } from '../../manifest/load-manifests';
import { exportCommit, readCommitTree } from './commit-tree';
import { findTopLevel } from './repository';

/**
 * Reads the resources that a commit declares, without those that have errors of their own. Empty if some of its files
 * cannot be read: a resource in one of these could be any.
 */
export function readResourcesAt(commit: string, target: string): readonly Resource[] {
  try {
    const top = findTopLevel(target);
    const below = relative(top, realpathSync(target));
    const manifests = withWorkFolder((folder) => {
      exportCommit(readCommitTree(commit, top, below), top, below, folder);
      return separateReferencedFiles(readTree(join(folder, below))).manifests;
    });
    const { resources, problems } = loadManifests(manifests);
    const wrong = new Set(problems.map(({ subject }) => subject));
    return wrong.has(undefined) ? [] : resources.filter((resource) => !wrong.has(resourceIdOf(resource)));
  } catch (error) {
    if (error instanceof FleetwrightError) return [];
    throw error;
  }
}
