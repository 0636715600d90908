import type { InferenceCluster } from '../api/inference-cluster';
import { type Access, accessTo } from '../live/access';
import type { DoctorSite } from '../live/doctor/site';
import { countLevels, type Finding, noAnswer } from '../live/finding';
import { formatFindings } from '../live/finding-text';
import type { CommonFlags } from './context';
import type { DoctorDocument } from './live-documents';
import { EXIT, type ExitCode } from './exit-code';
import { readFleet } from './inputs';
import type { ApiServerOptions } from '../kubernetes/api-server';
import { examineLive } from '../kubernetes/examine-live';
import { findKubeconfig } from '../kubernetes/find-kubeconfig';
import { timeLimit } from './time-limit';
import { Unreachable } from '../kubernetes/unreachable';
import { type Io, print } from './output';
import { clusterNamed, type ReachFlags } from './reach-flags';
import { writeDraft } from './write-draft';

export interface DoctorFlags extends CommonFlags, ReachFlags {
  /** Default: the context that the cluster declares, else the one of its name. */
  readonly context?: string;

  /** Where to draft manifests of the cluster instead. True: a file of its name. */
  readonly write?: string | true;
}

/**
 * `fleetwright doctor`: compares a running cluster with what is declared of it. Changes nothing there. Exits with 4
 * where something would not work. With `--write` it drafts manifests of a cluster that is not declared yet.
 */
export async function doctor(name: string, target: string, flags: DoctorFlags, io: Io): Promise<ExitCode> {
  if (flags.write !== undefined) {
    const file = flags.write === true ? `${name}.yaml` : flags.write;
    return writeDraft({ name, file }, flags, io);
  }
  const { fleet, locate } = readFleet(target, flags, io);
  const cluster = clusterNamed(name, fleet);
  const access = accessOf(cluster, flags, io);
  const options = { timeout: timeLimit(flags), env: io.env };
  const findings = await findingsOf({ cluster, fleet, locate }, access, options);
  const totals = countLevels(findings);
  const { context, server } = access;
  print<DoctorDocument>(
    'Doctor',
    { cluster: name, context, server: server.server, findings, totals },
    (style) => {
      const shown = flags.quiet ? findings.filter(({ level }) => level !== 'ok') : findings;
      return formatFindings(`${name}, by context ${context}`, shown, totals, style);
    },
    { flags, io },
  );
  return totals.failure > 0 ? EXIT.refused : EXIT.ok;
}

function accessOf(cluster: InferenceCluster, { context, kubeconfig }: DoctorFlags, io: Io): Access {
  const named = context === undefined ? {} : { [cluster.metadata.name]: context };
  return accessTo(cluster, findKubeconfig(kubeconfig, io), { named, ownFile: kubeconfig !== undefined });
}

/** All checks of a cluster that answers; of one that does not, why. */
async function findingsOf(
  site: Omit<DoctorSite, 'seen'>,
  access: Access,
  options: ApiServerOptions,
): Promise<Finding[]> {
  const found = await examineLive(site, access, options);
  return found instanceof Unreachable ? [noAnswer(found.message)] : found;
}
