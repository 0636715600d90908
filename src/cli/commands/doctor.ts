import { existsSync } from 'node:fs';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { FleetwrightError } from '../../base/errors';
import { pluralize } from '../../base/text';
import { writeFileAtomic } from '../../files/write-file';
import { type ApiClientOptions, withApiClient } from '../../live/client/api-client';
import { type ClusterAccess, resolveClusterAccess, resolveContextAccess } from '../../live/client/cluster-access';
import { loadKubeconfig } from '../../live/client/kubeconfig';
import { listCollections, readServerVersion } from '../../live/client/list-objects';
import { UnreachableError } from '../../live/client/unreachable-error';
import { type ExaminedCluster, OBSERVED_LISTS } from '../../live/doctor/check';
import { examineCluster } from '../../live/doctor/examine-cluster';
import { type Draft, draftCluster, type DraftSource } from '../../live/draft/draft-cluster';
import { countLevels, reportNoAnswer } from '../../live/finding';
import { loadManifests } from '../../manifest/load-manifests';
import { formatFindings } from '../../report/doctor-text';
import { type ConnectionFlags, findCluster, parseTimeout } from '../command-flags';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { checkDocument, type DoctorDocument, type DraftDocument } from '../json-documents';
import { formatNotes, type Io, printResult } from '../output';
import { readFleet } from '../read-inputs';

/** Flags of `fleetwright doctor`. */
export interface DoctorFlags extends CommonFlags, ConnectionFlags {
  /** The context. Default: the context that the cluster declares, else the one with its name. */
  readonly context?: string;

  /** The file for drafted manifests, instead of checks. True: a file with the name of the cluster. */
  readonly write?: string | true;
}

/**
 * `fleetwright doctor`: compares a running cluster with its declaration. Changes nothing on the cluster. Exits with 4
 * if something would not work. With `--write`, it drafts manifests of a cluster that is not declared yet.
 */
export async function runDoctor(name: string, target: string, flags: DoctorFlags, io: Io): Promise<ExitCode> {
  if (flags.write !== undefined) {
    const file = flags.write === true ? `${name}.yaml` : flags.write;
    return writeDraft({ name, file }, flags, io);
  }
  const { fleet, locate } = readFleet(target, flags, io);
  const cluster = findCluster(name, fleet);
  const access = resolveAccess(cluster, flags, io);
  const options = { timeout: parseTimeout(flags), env: io.env };
  const findings = await findFindings({ cluster, fleet, locate }, access, options);
  const documents = findings.map(checkDocument);
  const totals = countLevels(documents);
  const { context, server } = access;
  printResult<DoctorDocument>(
    'Doctor',
    { cluster: name, context, server: server.server, findings: documents, totals },
    () => {
      const shown = flags.quiet ? findings.filter(({ severity }) => severity !== 'ok') : findings;
      return formatFindings(`${name}, by context ${context}`, shown, totals);
    },
    { flags, io },
  );
  return totals.failure > 0 ? EXIT.refused : EXIT.ok;
}

function resolveAccess(cluster: InferenceCluster, { context, kubeconfig }: DoctorFlags, io: Io): ClusterAccess {
  const named = context === undefined ? {} : { [cluster.metadata.name]: context };
  return resolveClusterAccess(cluster, loadKubeconfig(kubeconfig, io), {
    named,
    ownFile: kubeconfig !== undefined,
  });
}

/** Runs all checks of a cluster, or reports why it does not answer. */
async function findFindings(
  declared: Omit<ExaminedCluster, 'seen'>,
  access: ClusterAccess,
  options: ApiClientOptions,
): Promise<Diagnostic[]> {
  const found = await examineCluster(declared, access, options);
  return found instanceof UnreachableError ? [reportNoAnswer(declared.cluster.metadata.name, found.message)] : found;
}

/** The name of a drafted cluster, and the file for it. */
interface DraftTarget {
  /** The name of the cluster in the manifests. */
  readonly name: string;
  readonly file: string;
}

type DraftFlags = CommonFlags & ConnectionFlags & { readonly context?: string };

const { gatewayConfig: _, ...DRAFTED_FROM } = OBSERVED_LISTS;

/**
 * `fleetwright doctor NAME --write FILE`: drafts the manifests of a running cluster from its nodes and slices. Does
 * not overwrite existing files.
 */
async function writeDraft({ name, file }: DraftTarget, flags: DraftFlags, io: Io): Promise<ExitCode> {
  rejectExistingFile(file);
  const { context = name, kubeconfig } = flags;
  const access = resolveContextAccess(context, name, loadKubeconfig(kubeconfig, io));
  const options = { timeout: parseTimeout(flags), env: io.env };
  const seen = await withApiClient(access, options, async (api) => ({
    version: await readServerVersion(api),
    lists: await listCollections(api, DRAFTED_FROM),
  }));
  if (seen instanceof UnreachableError) throw draftError(name, 'unreachable', seen.message, UNREACHABLE_HINT);
  const draft = createDraft({ name, context, ...seen });
  const { problems } = loadManifests([{ path: file, text: draft.text }]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  writeFileAtomic(file, draft.text);
  printDraft(draft, file, flags, io);
  return EXIT.ok;
}

const UNREACHABLE_HINT = 'Check the network, the kubeconfig and your credentials';

/**
 * Drafts a cluster.
 *
 * @throws FleetwrightError where the listings of the cluster are not sufficient
 */
function createDraft(source: DraftSource): Draft {
  for (const what of ['nodes', 'slices'] as const) {
    const listing = source.lists[what];
    if (!('missing' in listing)) continue;
    throw draftError(source.name, 'unseen', `its ${what} cannot be listed`, `Ask for it: ${listing.why}`);
  }
  const draft = draftCluster(source);
  if (!('why' in draft)) return draft;
  const hint = 'Install the DRA drivers of its devices first, or declare it by hand';
  throw draftError(source.name, 'no-devices', draft.why, hint);
}

function rejectExistingFile(file: string): void {
  if (!existsSync(file)) return;
  throw draftError(file, 'exists', 'there is a file already', 'Name another one, or move this one away');
}

function draftError(where: string, code: DiagnosticCode, what: string, hint: string): FleetwrightError {
  const problem: Diagnostic = errorAt(code, where, what, hint);
  return new FleetwrightError([problem]);
}

function printDraft({ classes, pools, notes }: Draft, file: string, flags: DraftFlags, io: Io): void {
  const counts = `${pluralize(pools.length, 'pool')} of ${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`;
  const text = `Wrote a cluster with ${counts} to ${file}. Look through it.`;
  const fields = { written: file, classes, pools, notes };
  printResult<DraftDocument>('Draft', fields, () => (flags.quiet ? [] : [...formatNotes(notes), text]), {
    flags,
    io,
  });
}
