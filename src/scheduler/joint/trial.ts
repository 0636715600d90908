import type { CompiledCluster, CompiledDeployment } from '../compiled-fleet';
import { AssignmentCache } from '../feasible-clusters';
import type { AssignedReplica } from '../retained-replicas';
import type { SchedulingState } from '../scheduling-state';
import { TopologySpread } from '../topology-spread';
import { listCandidates } from './list-candidates';
import type { MovableReplicas } from './movable-replicas';
import type { Relaxation } from './relaxation';
import { hasRoomAt, type Relocation, type CandidatePlacement, siteKeyOf } from './candidate-placement';

interface TrialOptions {
  readonly movable: MovableReplicas;
  readonly relaxation: Relaxation;
}

/** Placements that are tried on the ledger of a state, and taken back. */
export class Trial {
  readonly placed: Relocation[] = [];
  /** A text for each of them. */
  readonly #placedKeys: string[] = [];
  readonly #ejected = new Map<AssignedReplica, string>();
  readonly #spreads = new Map<CompiledDeployment, TopologySpread>();
  readonly #sites = new Map<CompiledDeployment, readonly CandidatePlacement[]>();
  readonly #assignments: AssignmentCache;

  constructor(
    private readonly state: SchedulingState,
    private readonly options: TrialOptions,
  ) {
    this.#assignments = new AssignmentCache(state.matcher, state.ledger);
  }

  /** The places of a deployment that may have room, in the order of its policy when the trial began. */
  sitesOf(deployment: CompiledDeployment): readonly CandidatePlacement[] {
    let sites = this.#sites.get(deployment);
    if (!sites) {
      sites = listCandidates(this.state, this.options.relaxation, this.spreadOf(deployment), this.#assignments);
      this.#sites.set(deployment, sites);
    }
    return sites;
  }

  spreadOf(deployment: CompiledDeployment): TopologySpread {
    let spread = this.#spreads.get(deployment);
    if (!spread) {
      spread = new TopologySpread(deployment, this.state.clustersOf(deployment));
      this.#spreads.set(deployment, spread);
    }
    return spread;
  }

  hasPlace(deployment: CompiledDeployment, site: CandidatePlacement): boolean {
    return !this.spreadOf(deployment).findLimit(site.cluster) && hasRoomAt(site, this.state.ledger);
  }

  place(relocation: Relocation): void {
    const { deployment, to } = relocation;
    this.state.ledger.add(to.assignment.charges);
    this.spreadOf(deployment).add(to.cluster);
    this.placed.push(relocation);
    this.#placedKeys.push(`${deployment.id} ${siteKeyOf(to)}`);
  }

  /** Takes back the last replica that was placed. */
  unplace(): void {
    const last = this.placed.pop();
    this.#placedKeys.pop();
    if (!last) return;
    this.spreadOf(last.deployment).remove(last.to.cluster);
    this.state.ledger.remove(last.to.assignment.charges);
  }

  isEjected(replica: AssignedReplica): boolean {
    return this.#ejected.has(replica);
  }

  eject(replica: AssignedReplica): void {
    this.#ejected.set(replica, `-${this.options.movable.keyOf(replica)}`);
    this.state.ledger.remove(replica.assignment.charges);
    this.spreadOf(this.deploymentOf(replica)).remove(this.#clusterOf(replica));
  }

  restore(replica: AssignedReplica): void {
    this.#ejected.delete(replica);
    this.state.ledger.add(replica.assignment.charges);
    this.spreadOf(this.deploymentOf(replica)).add(this.#clusterOf(replica));
  }

  /** A text that is equal where replicas that are alike were placed and ejected, in whichever order. */
  key(): string {
    return [...this.#placedKeys, ...this.#ejected.values()].sort().join(',');
  }

  deploymentOf({ placement }: AssignedReplica): CompiledDeployment {
    const deployment = this.state.deployments.get(placement.deployment);
    if (!deployment) throw new Error(`bug: ${placement.deployment} is placed and not declared`);
    return deployment;
  }

  #clusterOf({ placement }: AssignedReplica): CompiledCluster {
    const cluster = this.state.clusters.get(placement.cluster);
    if (!cluster) throw new Error(`bug: ${placement.deployment} is on ${placement.cluster}, which is not declared`);
    return cluster;
  }
}
