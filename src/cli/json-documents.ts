import type { MoreNodes } from '../analyze/survive/more-nodes';
import type { Survival, WorstDeployment } from '../analyze/survive/survival';
import type { RefusedService, RequiredReplicas } from '../analyze/survive/survive';
import type { Outcome } from '../analyze/what-if/what-if';
import { type Diagnostic, limitListed } from '../base/diagnostic';
import { type DiagnosticDocument, toDiagnosticDocument } from '../base/diagnostic-document';
import type { Cost, CostBreakdown, CostWithLeast, ReplicaCost } from '../cost/cost';
import type { FleetDiff } from '../diff/fleet-diff';
import type { PolicyDiagnostic } from '../fleet/policy';
import { type FindingLevel, LEVEL_OF } from '../live/finding';
import type { EndpointModels } from '../live/smoke/endpoint-models';
import type { SmokeResult } from '../live/smoke/smoke-test';
import type { ClusterStatus } from '../live/status/cluster-status';
import { listChangedDeployments } from '../plan/deployment-plans';
import type { Plan, Totals } from '../plan/plan';
import type { NamedLoad } from '../report/fit/load-lines';
import { type ComparedTotals, countComparedTotals, formatTotal } from '../report/plan/total-line';
import type { FitRow } from '../sizing/fit-model';
import type { DecidedFleet } from './decide-fleet';

/** The errors of a run that leaves resources with errors as they are. */
interface FaultFields {
  /** What is wrong with deployments, caches and services. These stay as they are. Absent if nothing is wrong. */
  readonly problems?: readonly DiagnosticDocument[];

  /** With `--only`: the number of errors of other resources. Absent if there are none. */
  readonly otherProblems?: number;
}

/** What `fleetwright plan --json` prints. `schema/plan.json` is made from this type. */
export interface PlanDocument
  extends Omit<Plan, 'cost' | 'deployments' | 'policies' | 'totals' | 'warnings'>,
    FaultFields {
  readonly kind: 'Plan';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 2;

  /**
   * Every deployment, by id, with what accepting the plan does to the replicas of the lock. With `--against`: those that
   * it changes or that lack a place. What happens to replicas since the other state is in `diff.deployments`.
   */
  readonly deployments: Plan['deployments'];

  /** The replicas of `total`: what happens to them since the lock, or since the state that `--against` names. */
  readonly totals: Totals & Partial<ComparedTotals>;

  /** What it costs once it is accepted. */
  readonly cost: ReportedCost;

  /** Rules of the fleet that it does not meet. */
  readonly policies: readonly PolicyDocument[];

  /** What may work only by luck. Nothing stops because of it. */
  readonly warnings: readonly DiagnosticDocument[];

  /** Whether the lock file is out of date. */
  readonly outOfDate: boolean;

  /** The total as a sentence, as every other view of the plan has it: `Total: 2 placed, 12 unchanged.`. */
  readonly total: string;

  /** The nodes that give all replicas without a place one. Absent if fewer than two have none. */
  readonly moreNodes?: MoreNodes;

  /** What happens since the state that `--against` names. Absent without it. */
  readonly diff?: FleetDiff;
}

/** A plan does not meet a rule. */
export interface PolicyDocument {
  /** The name of the rule. */
  readonly rule: string;
  readonly effect: 'Deny' | 'Warn';

  /** The declaration that it is about, or the rule itself where that is the whole fleet. */
  readonly where: string;

  /** What is not met, as a clause. */
  readonly what: string;
}

/** What a fleet costs. */
interface ReportedCost
  extends CostBreakdown,
    Pick<Cost, 'currency' | 'hoursPerMonth' | 'clusters' | 'namespaces' | 'sources'> {
  /** By id. */
  readonly deployments: readonly ReportedDeploymentCost[];
}

/** What the replicas of a deployment take, draining ones too. */
interface ReportedDeploymentCost extends CostWithLeast {
  /** `namespace/name`. */
  readonly deployment: string;

  /** By cluster and index. Absent where only changes are listed, and these do not change. */
  readonly replicas?: readonly ReplicaCost[];
}

/** Converts a plan to the fields of its document. A comparison with another state contains only changes. */
export function toPlanFields(
  { plan, outOfDate }: Pick<DecidedFleet, 'plan' | 'outOfDate'>,
  diff: FleetDiff | undefined,
): Omit<PlanDocument, 'kind' | 'version'> {
  const printed = { ...planDocument(plan), total: formatTotal(plan, diff) };
  if (!diff) return { ...printed, outOfDate };
  const deployments = listChangedDeployments(plan.deployments);
  const changed = [...deployments, ...diff.deployments, ...(diff.cost?.deployments ?? [])];
  const cost = costOfChanged(plan.cost, new Set(changed.map(({ deployment }) => deployment)));
  return { ...printed, deployments, totals: countComparedTotals(plan, diff), cost, outOfDate, diff };
}

/** A plan with its diagnostics as in JSON. */
type PrintedPlan = Omit<Plan, 'policies' | 'warnings'> & Pick<PlanDocument, 'policies' | 'warnings'>;

/** Converts a plan to its JSON form. */
export function planDocument(plan: Plan): PrintedPlan {
  const { policies, warnings } = plan;
  return { ...plan, policies: policies.map(policyDocument), warnings: warnings.map(toDiagnosticDocument) };
}

function policyDocument({ rule, severity, at, message }: PolicyDiagnostic): PolicyDocument {
  return { rule, effect: severity === 'error' ? 'Deny' : 'Warn', where: at, what: message };
}

/** Limits the replicas in a cost to some deployments. */
function costOfChanged(cost: Cost, changed: ReadonlySet<string>): ReportedCost {
  return {
    ...cost,
    deployments: cost.deployments.map((one) => {
      const { replicas: _, ...whole } = one;
      return changed.has(one.deployment) ? one : whole;
    }),
  };
}

/** What `fleetwright what-if --json` prints. `schema/what-if.json` is made from this type. */
export interface WhatIfDocument extends FaultFields {
  readonly kind: 'WhatIf';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock file is out of date. */
  readonly outOfDate: boolean;

  /** One a scenario: that of the flags first, then those of the file. */
  readonly outcomes: readonly PrintedOutcome[];
}

type PrintedOutcome = Omit<Outcome, 'policies' | 'problems' | 'warnings'> & {
  /** What to do before pools lose the nodes of the scenario. Absent if there is nothing. */
  readonly warnings?: readonly DiagnosticDocument[];

  /** The errors that a plan has after the scenario, and does not have now. Absent if there are none. */
  readonly problems?: readonly DiagnosticDocument[];

  /** The policy rules that the scenario breaks and the fleet as it is does not. Absent if the fleet has no rules. */
  readonly policies?: readonly PolicyDocument[];
};

export function outcomeDocument({ policies, problems, warnings, ...outcome }: Outcome): PrintedOutcome {
  return {
    ...outcome,
    ...(warnings && { warnings: warnings.map(toDiagnosticDocument) }),
    ...(policies && { policies: policies.map(policyDocument) }),
    ...(problems && { problems: limitListed(problems).map(toDiagnosticDocument) }),
  };
}

/** What `fleetwright survive --json` prints. `schema/survival.json` is made from this type. */
export interface SurvivalDocument extends Survival, FaultFields {
  readonly kind: 'Survival';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock file is out of date. */
  readonly outOfDate: boolean;

  /** The fewest replicas that must serve at once. Absent where none are required. */
  readonly required?: RequiredReplicas;

  /** Deployments that keep fewer. Absent where none are required. */
  readonly refused?: readonly WorstDeployment[];

  /** Services that something answers, and then no gateway or fewer replicas. Absent where none are required. */
  readonly refusedServices?: readonly RefusedService[];
}

/** What `fleetwright fit --json` prints. `schema/fit.json` is made from this type. */
export interface FitDocument extends FaultFields {
  readonly kind: 'Fit';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** The repository of the model. */
  readonly model: string;

  /** The tokens of a request. */
  readonly context: number;

  /** Requests of that length at once that are wanted. */
  readonly concurrency: number;
  readonly currency: string;

  /** The load of the flags, or those that deployments declare for the model. Absent without any. */
  readonly loads?: readonly NamedLoad[];

  /** Layouts that fit first, then tight ones, then those that do not; cheapest first. */
  readonly rows: readonly FitRow[];
}

/** What `fleetwright doctor --json` prints. `schema/doctor.json` is made from this type. */
export interface DoctorDocument {
  readonly kind: 'Doctor';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;
  readonly cluster: string;

  /** The context of the kubeconfig, and the API server that it leads to. */
  readonly context: string;
  readonly server: string;

  /** In the order in which things depend on each other. */
  readonly findings: readonly CheckDocument[];

  /** How many findings there are of each level. */
  readonly totals: Readonly<Record<FindingLevel, number>>;
}

/** What `fleetwright status --json` prints. `schema/status.json` is made from this type. */
export interface StatusDocument extends FaultFields {
  readonly kind: 'Status';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock file is out of date. Replicas that only the lock or only the plan has are left out then. */
  readonly outOfDate: boolean;

  /** By name, or in the order of `--cluster`. */
  readonly clusters: readonly ClusterStatus[];
}

/** What `fleetwright smoke --json` prints. `schema/smoke.json` is made from this type. */
export interface SmokeDocument extends FaultFields {
  readonly kind: 'Smoke';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** By service, one for each of its URLs and for each model that it is asked for there. */
  readonly services: readonly SmokeResult[];
}

/** What `fleetwright smoke --models --json` prints. `schema/endpoint-models.json` is made from this type. */
export interface EndpointModelsDocument {
  readonly kind: 'EndpointModels';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** By endpoint. */
  readonly endpoints: readonly EndpointModels[];

  /** The paths of the files that `--write` changed. */
  readonly written: readonly string[];
}

/** What `fleetwright doctor --write --json` prints. `schema/draft.json` is made from this type. */
export interface DraftDocument {
  readonly kind: 'Draft';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** The file. */
  readonly written: string;

  /** The names of the InferenceClasses and of the pools. */
  readonly classes: readonly string[];
  readonly pools: readonly string[];

  /** The IDs (`namespace/name`) of ModelDeployments, drafted from LLMInferenceServices of KServe. */
  readonly deployments: readonly string[];

  /** What was guessed, or left out. */
  readonly notes: readonly string[];
}

/** What a check found out about a running cluster. */
export interface CheckDocument {
  /** A stable, kebab-case name of what was looked at, for machines: `device-classes`. */
  readonly check: string;
  readonly level: FindingLevel;

  /** What is so, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;
}

/** Converts the result of a check to its JSON form. */
export function checkDocument({ code, severity, message, hint }: Diagnostic): CheckDocument {
  return {
    check: code,
    level: LEVEL_OF[severity],
    what: message,
    ...(hint !== undefined && { hint }),
  };
}
