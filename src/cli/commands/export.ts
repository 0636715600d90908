import { locateAll, type Resource, resourceIdOf } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { FleetwrightError } from '../../base/errors';
import { sortedBy } from '../../base/order';
import { hasSecret } from '../../base/redaction';
import { pluralize } from '../../base/text';
import { expandLayouts, expandModels } from '../../engine/expand/expand-models';
import { writeFileAtomic } from '../../files/write-file';
import type { ModelExpansion } from '../../fleet/models/model-layouts';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import { commandError } from '../command-error';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, type Io } from '../output';
import { type DeclaredFleet, readFleet, readLock, readOwnLock } from '../read-inputs';

export interface ExportFlags extends CommonFlags {
  /** The output file. Default: standard output. */
  readonly out?: string;
}

/** `fleetwright export`: prints what a program or a directory declares as manifests, sorted and without defaults. */
export function runExport(target: string, flags: ExportFlags, io: Io): ExitCode {
  const declared = readFleet(target, flags, io);
  const resources = expandResources(target, flags, declared);
  const documents = sortedBy(resources, resourceIdOf).map(toCanonicalDocument);
  const text = flags.json
    ? formatJsonDocument('Export', { resources: documents })
    : formatDocuments(documents, 'Written by fleetwright export.');
  refuseSecrets(text, target);
  if (flags.out === undefined) io.outManifests(text);
  else {
    writeFileAtomic(flags.out, text);
    if (!flags.quiet) io.out(`Wrote ${pluralize(documents.length, 'resource')} to ${flags.out}.\n`);
  }
  return EXIT.ok;
}

/**
 * The declarations with the engines and caches that models expand to, in the layouts of the lock. Of several layouts of
 * a deployment, a manifest holds the one that the lock prefers.
 *
 * @throws FleetwrightError with every model that cannot be expanded
 */
function expandResources(target: string, flags: ExportFlags, declared: DeclaredFleet): readonly Resource[] {
  const { resources, fleet, locate } = declared;
  if (!fleet.deployments.some(({ spec }) => spec.model)) return resources;
  const lock = declared.source === 'program' ? readOwnLock(target, declared) : readLock(target, flags);
  const { expansions = new Map<string, ModelExpansion>(), modelFaults = [] } = expandModels(fleet, lock);
  if (modelFaults.length > 0) throw new FleetwrightError(locateAll(modelFaults, locate));
  const added = new Map<string, Resource>();
  const expanded = resources.map((resource): Resource => {
    const found = resource.kind === 'ModelDeployment' ? expansions.get(qualifiedNameOf(resource)) : undefined;
    if (!found || resource.kind !== 'ModelDeployment') return resource;
    // Defaults of the fleet stay where they are declared.
    const { variants, cache } = expandLayouts(resource, found.layouts, { caches: fleet.caches });
    if (cache) added.set(qualifiedNameOf(cache), cache);
    return variants[0].deployment;
  });
  return [...expanded, ...added.values()];
}

/** @throws FleetwrightError when the manifests contain a key: to hide it would change them */
function refuseSecrets(text: string, target: string): void {
  if (!hasSecret(text)) return;
  const what = 'the declarations contain what looks like a key in clear text, which the export would show';
  throw commandError(
    'literal-secret',
    target,
    what,
    "Refer to a Secret instead. 'fleetwright validate DIR' lists the fields",
  );
}
