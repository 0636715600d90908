import { existsSync } from 'node:fs';
import { FleetwrightError } from '../../base/errors';
import { pluralize } from '../../base/text';
import { writeFileAtomic } from '../../files/write-file';
import { withApiClient } from '../../live/client/api-client';
import { resolveClusterAccess, resolveContextAccess } from '../../live/client/cluster-access';
import { loadKubeconfig } from '../../live/client/kubeconfig';
import { listCollections, readServerVersion } from '../../live/client/list-objects';
import { UnreachableError } from '../../live/client/unreachable-error';
import { OBSERVED_LISTS } from '../../live/doctor/check';
import { examineCluster } from '../../live/doctor/examine-cluster';
import { type Draft, draftCluster, type DraftSource } from '../../live/draft/draft-cluster';
import { countLevels, reportNoAnswer } from '../../live/finding';
import { collectionOf } from '../../live/listing';
import { loadManifests } from '../../manifest/load-manifests';
import { formatFindings } from '../../report/doctor-text';
import { formatNotes } from '../../report/plan/plan-text';
import { commandError } from '../command-error';
import { type ConnectionFlags, findCluster, parseTimeout } from '../command-flags';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { checkDocument, type DoctorDocument, type DraftDocument } from '../json-documents';
import { type Io, printResult } from '../output';
import { LIVE, readFleet } from '../read-inputs';

export interface DoctorFlags extends CommonFlags, ConnectionFlags {
  /** Default: the context that the cluster declares, else the one with its name. */
  readonly context?: string;

  /** The file for drafted manifests, instead of checks. True: a file with the name of the cluster. */
  readonly write?: string | true;
}

/**
 * `fleetwright doctor`: compares a running cluster with its declaration. Changes nothing on the cluster. Exits with 6
 * if something would not work, or is unknown. With `--write`, it drafts manifests of a cluster that is not declared yet.
 */
export async function runDoctor(name: string, target: string, flags: DoctorFlags, io: Io): Promise<ExitCode> {
  if (flags.write !== undefined) {
    return writeDraft(name, flags.write === true ? `${name}.yaml` : flags.write, flags, io);
  }
  const { fleet, locate } = readFleet(target, { ...flags, ...LIVE }, io);
  const cluster = findCluster(name, fleet);
  const { context: named, kubeconfig } = flags;
  const contexts = { named: named === undefined ? {} : { [name]: named }, ownFile: kubeconfig !== undefined };
  const access = resolveClusterAccess(cluster, loadKubeconfig(kubeconfig, io), contexts);
  const options = { timeout: parseTimeout(flags), env: io.env, hide: io.hide };
  const found = await examineCluster({ cluster, fleet, locate }, access, options);
  const findings = found instanceof UnreachableError ? [reportNoAnswer(name, found.message)] : found;
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
  return totals.failure + totals.unknown > 0 ? EXIT.amiss : EXIT.ok;
}

const { gatewayConfig: _, pickers: __, ...OBSERVED } = OBSERVED_LISTS;
const DRAFTED_FROM = {
  ...OBSERVED,
  claims: collectionOf('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims'),
  services: collectionOf('serving.kserve.io/v1alpha2', 'LLMInferenceService', 'llminferenceservices'),
};

/** Drafts the manifests of a running cluster from its nodes and slices. Overwrites no file. */
async function writeDraft(name: string, file: string, flags: DoctorFlags, io: Io): Promise<ExitCode> {
  if (existsSync(file)) {
    throw commandError('exists', file, 'the file exists already', 'Use another file, or move this one');
  }
  const { context = name, kubeconfig } = flags;
  const access = resolveContextAccess(context, name, loadKubeconfig(kubeconfig, io));
  const options = { timeout: parseTimeout(flags), env: io.env, hide: io.hide };
  const seen = await withApiClient(access, options, async (api) => ({
    version: await readServerVersion(api),
    lists: await listCollections(api, DRAFTED_FROM),
  }));
  if (seen instanceof UnreachableError) {
    const hint = 'Check the network, the kubeconfig and your credentials';
    throw commandError('unreachable', name, seen.message, hint);
  }
  const draft = createDraft({ name, context, ...seen });
  const { problems } = loadManifests([{ path: file, text: draft.text }]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  writeFileAtomic(file, draft.text);
  printDraft(draft, file, flags, io);
  return EXIT.ok;
}

/** @throws FleetwrightError where the listings of the cluster are not sufficient */
function createDraft(source: DraftSource): Draft {
  const { claims: _, services: __, ...required } = source.lists;
  for (const [what, listing] of Object.entries(required)) {
    if (!('missing' in listing) || (listing.missing === 'unserved' && what !== 'slices')) continue;
    const { kind } = OBSERVED_LISTS[what as keyof typeof OBSERVED_LISTS];
    throw commandError(
      'unseen',
      source.name,
      `its ${kind} objects cannot be listed`,
      `Request the permission: ${listing.why}`,
    );
  }
  const draft = draftCluster(source);
  if (!('why' in draft)) return draft;
  const hint = 'Install the DRA drivers of its devices first, or declare it by hand';
  throw commandError('no-slices', source.name, draft.why, hint);
}

function printDraft({ classes, pools, deployments, notes }: Draft, file: string, flags: CommonFlags, io: Io): void {
  const counts = `${pluralize(pools.length, 'pool')} of ${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`;
  const more = deployments.length > 0 ? ` and ${pluralize(deployments.length, 'deployment')}` : '';
  const text = `Wrote a cluster with ${counts}${more} to ${file}. Review it.`;
  const fields = { written: file, classes, pools, deployments, notes };
  printResult<DraftDocument>('Draft', fields, () => (flags.quiet ? [] : [...formatNotes(notes), text]), { flags, io });
}
