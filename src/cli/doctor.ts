import { FleetwrightError } from '../errors';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet';
import { type Access, accessTo } from '../live/access';
import { examine } from '../live/doctor/examine';
import { rightsNeeded } from '../live/doctor/rights';
import { countLevels, failure, type Finding } from '../live/finding';
import { formatFindings } from '../live/finding-text';
import { nearest } from '../nearest';
import type { CommonFlags } from './context';
import type { DoctorDocument } from './live-documents';
import { EXIT, type ExitCode } from './exit-code';
import { type Declared, readFleet } from './inputs';
import { openApiServer } from './kubernetes/api-server';
import { findKubeconfig } from './kubernetes/find-kubeconfig';
import { seeCluster } from './kubernetes/see-cluster';
import { timeLimit } from './kubernetes/time-limit';
import { Unreachable } from './kubernetes/unreachable';
import { type Io, jsonDocument, styleFor } from './output';

export interface DoctorFlags extends CommonFlags {
  /** Default: the context that the cluster declares, else the one of its name. */
  readonly context?: string;

  /** Default: as kubectl finds it. */
  readonly kubeconfig?: string;

  /** Seconds. Default: 15. */
  readonly timeout: string;
}

/**
 * `fleetwright doctor`: compares a running cluster with what is declared of it. Changes nothing there. Exits with 4
 * where something would not work.
 */
export async function doctor(name: string, target: string, flags: DoctorFlags, io: Io): Promise<ExitCode> {
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
  options: { readonly timeout: number } & Pick<Io, 'env'>,
): Promise<Finding[]> {
  try {
    const api = await openApiServer(access, options);
    try {
      const seen = await seeCluster(api, rightsNeeded({ cluster, fleet }));
      return examine({ cluster, fleet, locate, seen });
    } finally {
      api.close();
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = 'Check the network, the kubeconfig and your credentials';
    return [{ check: 'api-server', ...failure(error.message, hint) }];
  }
}

/** @throws FleetwrightError when the fleet has no such cluster */
function clusterNamed(name: string, { clusters }: Fleet): InferenceCluster {
  const found = clusters.find(({ metadata }) => metadata.name === name);
  if (found) return found;
  const all = clusters.map(({ metadata }) => metadata.name);
  const near = nearest(name, all);
  const hint = near ? `Did you mean '${near}'?` : `Use one of ${all.join(', ')}`;
  const what = 'the fleet has no cluster of this name';
  throw new FleetwrightError([{ code: 'unknown-cluster', where: name, what, hint }]);
}
