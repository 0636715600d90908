import { existsSync } from 'node:fs';
import { FleetwrightError, type Problem } from '../errors';
import { writeFileAtomic } from '../files/write-file';
import { accessBy } from '../live/access';
import { LOOKED_AT } from '../live/doctor/site';
import { type Draft, draftCluster, type DraftSource } from '../live/draft/draft';
import { loadManifests } from '../manifest/load';
import { plural } from '../plan/format';
import { EXIT, type ExitCode } from './exit-code';
import { findKubeconfig } from '../kubernetes/find-kubeconfig';
import { listAll, serverVersion } from '../kubernetes/see-cluster';
import { timeLimit } from './time-limit';
import { Unreachable } from '../kubernetes/unreachable';
import { withApiServer } from '../kubernetes/with-api-server';
import type { DraftDocument } from './live-documents';
import type { CommonFlags } from './context';
import { formatNotes, type Io, print } from './output';
import type { ReachFlags } from './reach-flags';

/** What is drafted, and where it goes. */
interface Target {
  /** What the cluster shall be called. */
  readonly name: string;
  readonly file: string;
}

type Flags = CommonFlags & ReachFlags & { readonly context?: string };

const { gatewayConfig: _, ...DRAFTED_FROM } = LOOKED_AT;

/**
 * `fleetwright doctor NAME --write FILE`: drafts the manifests of a running cluster from its nodes and slices. Writes
 * nothing over a file that is there.
 */
export async function writeDraft({ name, file }: Target, flags: Flags, io: Io): Promise<ExitCode> {
  refuseOverwriting(file);
  const { context = name, kubeconfig } = flags;
  const access = accessBy(context, name, findKubeconfig(kubeconfig, io));
  const options = { timeout: timeLimit(flags), env: io.env };
  const seen = await withApiServer(access, options, async (api) => ({
    version: await serverVersion(api),
    lists: await listAll(api, DRAFTED_FROM),
  }));
  if (seen instanceof Unreachable) throw failed(name, 'unreachable', seen.message, UNREACHED);
  const draft = drafted({ name, context, ...seen });
  const { problems } = loadManifests([{ path: file, text: draft.text }]);
  if (problems.length > 0) throw new FleetwrightError(problems);
  writeFileAtomic(file, draft.text);
  report(draft, file, flags, io);
  return EXIT.ok;
}

const UNREACHED = 'Check the network, the kubeconfig and your credentials';

/** @throws FleetwrightError where the cluster shows too little */
function drafted(source: DraftSource): Draft {
  for (const what of ['nodes', 'slices'] as const) {
    const listing = source.lists[what];
    if (!('missing' in listing)) continue;
    throw failed(source.name, 'unseen', `its ${what} cannot be listed`, `Ask for it: ${listing.why}`);
  }
  const draft = draftCluster(source);
  if (!('why' in draft)) return draft;
  const hint = 'Install the DRA drivers of its devices first, or declare it by hand';
  throw failed(source.name, 'no-devices', draft.why, hint);
}

function refuseOverwriting(file: string): void {
  if (!existsSync(file)) return;
  throw failed(file, 'exists', 'there is a file already', 'Name another one, or move this one away');
}

function failed(where: string, code: string, what: string, hint: string): FleetwrightError {
  const problem: Problem = { code, where, what, hint };
  return new FleetwrightError([problem]);
}

function report({ classes, pools, notes }: Draft, file: string, flags: Flags, io: Io): void {
  const counts = `${plural(pools.length, 'pool')} of ${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`;
  const text = `${formatNotes(notes)}Wrote a cluster with ${counts} to ${file}. Look through it.\n`;
  const fields = { written: file, classes, pools, notes };
  print<DraftDocument>('Draft', fields, () => (flags.quiet ? '' : text), { flags, io });
}
