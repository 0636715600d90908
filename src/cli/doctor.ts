import type { InferenceCluster } from '../api/inference-cluster';
import { type Access, accessTo } from '../live/access';
import { examine } from '../live/doctor/examine';
import { rightsNeeded } from '../live/doctor/rights';
import { countLevels, failure, type Finding } from '../live/finding';
import { formatFindings } from '../live/finding-text';
import type { CommonFlags } from './context';
import type { DoctorDocument } from './live-documents';
import { EXIT, type ExitCode } from './exit-code';
import { type Declared, readFleet } from './inputs';
import type { ApiServerOptions } from './kubernetes/api-server';
import { findKubeconfig } from './kubernetes/find-kubeconfig';
import { seeCluster } from './kubernetes/see-cluster';
import { timeLimit } from './kubernetes/time-limit';
import { Unreachable } from './kubernetes/unreachable';
import { withApiServer } from './kubernetes/with-api-server';
import { type Io, jsonDocument, styleFor } from './output';
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
  const declared = readFleet(target, flags, io);
  const cluster = clusterNamed(name, declared.fleet);
  const access = accessOf(cluster, flags, io);
  const findings = await examineLive(cluster, declared, access, { timeout: timeLimit(flags), env: io.env });
  const totals = countLevels(findings);
  if (flags.json) {
    const fields: Omit<DoctorDocument, 'kind' | 'version'> = {
      cluster: name,
      context: access.context,
      server: access.server.server,
      findings,
      totals,
    };
    io.out(jsonDocument('Doctor', fields));
  } else {
    const shown = flags.quiet ? findings.filter(({ level }) => level !== 'ok') : findings;
    io.out(formatFindings(`${name}, by context ${access.context}`, shown, totals, styleFor(io, flags)));
  }
  return totals.failure > 0 ? EXIT.refused : EXIT.ok;
}

function accessOf(cluster: InferenceCluster, { context, kubeconfig }: DoctorFlags, io: Io): Access {
  const named = context === undefined ? {} : { [cluster.metadata.name]: context };
  return accessTo(cluster, findKubeconfig(kubeconfig, io), { named, ownFile: kubeconfig !== undefined });
}

/** All checks of a cluster that answers; of one that does not, why. */
async function examineLive(
  cluster: InferenceCluster,
  { fleet, locate }: Declared,
  access: Access,
  options: ApiServerOptions,
): Promise<Finding[]> {
  const rights = rightsNeeded({ cluster, fleet });
  const seen = await withApiServer(access, options, (api) => seeCluster(api, rights));
  if (!(seen instanceof Unreachable)) return examine({ cluster, fleet, locate, seen });
  const hint = 'Check the network, the kubeconfig and your credentials';
  return [{ check: 'api-server', ...failure(seen.message, hint) }];
}
