import { existsSync, statSync } from 'node:fs';
import { pricePools } from '../../analyze/explain/class-prices';
import { describeEngineMemory, findUnknownModels } from '../../analyze/explain/engine-memory-views';
import { describeEngines } from '../../analyze/explain/engine-views';
import { explainField, findKindName, suggestKindName } from '../../api/field-reference';
import type { InferenceClass } from '../../api/inference-class';
import { locateAll } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { FleetwrightError } from '../../base/errors';
import { joinAnd } from '../../base/text';
import { nameLayout } from '../../sizing/layout-rules';
import type { DeploymentPlan } from '../../plan/plan';
import { findDeviceWarnings } from '../../plan/warnings/device-warnings';
import { assessPodSecurity, type PodSecurityResult } from '../../render/pod/pod-security-standards';
import { createRendererSelector } from '../../render/renderers';
import type { Block } from '../../report/document/document';
import { formatClassExplanation, formatClassPrices } from '../../report/explain/class-explanation';
import {
  formatExplanation,
  formatExplanationSummary,
  formatSecurityLevel,
} from '../../report/explain/deployment-explanation';
import { type DerivedView, formatDerived } from '../../report/explain/derived-fields';
import { formatEngines } from '../../report/explain/engine-explanation';
import { adviseOn } from '../../report/plan/plan-annotations';
import { formatFieldExplanation } from '../../report/explain/field-explanation';
import type { CompiledDeployment } from '../../scheduler/compiled-fleet';
import { explainDeployment } from '../../scheduler/explain-deployment';
import { commandError } from '../command-error';
import type { CommonFlags, DecidedFleet } from '../decide-fleet';
import { decideValidResources } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import { type Io, printResult } from '../output';
import { faultExitCodesOf, printFaults, toFaultFields } from '../resource-errors';
import { type Explaining, explainPart, noteOfRefusal, refuseUnknownPart } from './explain-part';
import { findByName, listNamesakes, refuseSharedName } from './find-part-name';

/** The prefix of class names. A namespace with the name `class` still works: its deployments take precedence. */
const CLASS_PREFIX = 'class/';

/**
 * `fleetwright explain NAMESPACE/DEPLOYMENT`: shows where its replicas are, what would be chosen without the lock, why
 * no more are elsewhere, and how its engines run.
 * `fleetwright explain KIND[.FIELD...]`: shows a field of a kind, and the fields below it. Reads no fleet.
 * `fleetwright explain NAMESPACE/SERVICE`, `fleetwright explain cache/NAMESPACE/CACHE`, `fleetwright explain CLUSTER`:
 * shows the routes of a service, where a cache is staged and who uses it, or what is on a cluster and has room there.
 * `fleetwright explain class/NAME`: shows the hardware of a class with the values from the catalog, and its prices.
 * `fleetwright explain NAME`: shows the only part of the fleet, or the only field, that has the name.
 */
export function runExplain(deployment: string, target: string, flags: CommonFlags, io: Io): ExitCode {
  if (isKindPath(deployment)) return explainKind(deployment, flags, io);
  refuseSwapped(deployment, target);
  const decided = decideValidResources(target, { ...flags, placesOnly: true, explainsScaling: true }, io);
  const run = { decided, flags, io };
  if (explainId(deployment, run)) return endExplanation(deployment, run);
  const own = decided.problems.filter(({ subject }) => subject?.split(' ')[1] === deployment);
  if (own.length > 0) throw new FleetwrightError(own);
  const [id, ...others] = findByName(deployment, decided);
  if (id === undefined) refuseUnknownPart(deployment, target, decided);
  if (others.length > 0) refuseSharedName(deployment, target, [id, ...others]);
  if (!explainId(id, run)) return explainKind(id, flags, io);
  return endExplanation(id, run);
}

/** Prints a deployment, a class, or another part of a fleet. Returns false if the fleet has none of this name. */
function explainId(id: string, run: Explaining): boolean {
  const { decided, flags, io } = run;
  const workload = decided.model.deployments.find((one) => one.id === id);
  const declared = decided.fleet.classes.find(({ metadata }) => `${CLASS_PREFIX}${metadata.name}` === id);
  if (workload) printDeployment(workload, run);
  else if (declared) explainDeclaredClass(declared, decided, flags, io);
  else return explainPart(id, run);
  return true;
}

function endExplanation(id: string, { decided, flags, io }: Explaining): ExitCode {
  if (!flags.json && !flags.quiet) io.out(formatNamesakes(listNamesakes(id, decided)));
  printFaults(decided, flags, io);
  return chooseExitCode(faultExitCodesOf(decided));
}

function formatNamesakes(ids: readonly string[]): string {
  const commands = joinAnd(ids.map((one) => `'fleetwright explain ${one} DIR'`));
  if (ids.length === 0) return '';
  return `\n${ids.length === 1 ? 'Another part' : 'Other parts'} of the fleet with this name: ${commands}.\n`;
}

/** What to do about replicas without a place, where no remedy is known. */
function adviseOnShortfall(
  workload: CompiledDeployment,
  plan: DeploymentPlan | undefined,
  { fleet, model, matcher }: Explaining['decided'],
) {
  if (!plan?.shortfall || plan.shortfall.remedies.length > 0) return undefined;
  const only = { ...fleet, deployments: fleet.deployments.filter((one) => qualifiedNameOf(one) === workload.id) };
  const found = findDeviceWarnings(only, { ...model, deployments: [workload] }, matcher);
  const advice = adviseOn(
    plan.shortfall,
    locateAll(found, () => ''),
  );
  return advice.endsWith('?') ? advice : `${advice}.`;
}

function printDeployment(workload: CompiledDeployment, { decided, flags, io }: Explaining): void {
  const deployment = workload.id;
  const explanation = explainDeployment({ ...decided, given: decided.given.placements }, workload);
  const plan = decided.plan.deployments.find((one) => one.deployment === deployment);
  const { deployment: _, ...found } = explanation;
  const { currency } = decided.plan.cost;
  const engines = decided.fleet.deployments
    .filter((one) => qualifiedNameOf(one) === deployment)
    .flatMap((one) => {
      const memory = describeEngineMemory(decided, deployment);
      return describeEngines(one, decided.fleet, { memory, unknownModels: findUnknownModels(decided, one) });
    });
  const security = securityLevelOf(deployment, decided);
  const derived = listDerived(deployment, decided);
  const fields = { deployment, plan, ...found, currency, engines, security, ...(derived.length > 0 && { derived }) };
  const blocks = (): Block[] => {
    const refused = noteOfRefusal(`ModelDeployment ${deployment}`, decided);
    if (flags.quiet) return [...refused, formatExplanationSummary(explanation)];
    const level = security ? formatSecurityLevel(security) : [];
    return [
      ...refused,
      ...formatExplanation(explanation, plan, currency, adviseOnShortfall(workload, plan, decided)),
      ...formatDerived(derived),
      ...formatEngines(engines),
      ...level,
    ];
  };
  printResult('Explanation', { ...fields, ...toFaultFields(decided) }, blocks, { flags, io, fit: true });
}

/** The fields that are derived from the model of a deployment, by layout. Empty if its engines are written. */
function listDerived(id: string, { fleet }: DecidedFleet): DerivedView[] {
  const expansion = fleet.expansions?.get(id);
  return (expansion?.variants ?? []).map(({ layout, derived }) => ({
    layout: nameLayout(layout),
    model: expansion?.layouts.repository ?? '',
    classes: layout.classes,
    fields: derived,
  }));
}

/** @throws FleetwrightError if the folder of the fleet is where the name belongs */
function refuseSwapped(name: string, target: string): void {
  if (target === '-' || existsSync(target) || !isFolder(name)) return;
  const hint = `Write the name first: 'fleetwright explain ${target} ${name}'`;
  throw commandError('not-found', target, 'there is no such file or folder', hint);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names of deployments and classes have a slash, and kinds have none. */
function isKindPath(id: string): boolean {
  const [word = ''] = id.split(/[.[]/);
  if (id.includes('/')) return false;
  // No name of an object begins with a capital letter.
  return /^[A-Z]/.test(word) || (findKindName(word) ?? suggestKindName(word)) !== undefined;
}

function explainKind(path: string, flags: CommonFlags, io: Io): ExitCode {
  const explanation = explainField(path);
  printResult('FieldExplanation', { ...explanation }, () => formatFieldExplanation(explanation), {
    flags,
    io,
    fit: true,
  });
  return EXIT.ok;
}

/** The Pod Security level that the pods of a deployment need. Undefined if it has no replica. */
function securityLevelOf(id: string, { replicas, renderers }: DecidedFleet): PodSecurityResult | undefined {
  const replica = replicas.find(({ deployment }) => qualifiedNameOf(deployment) === id);
  return replica && assessPodSecurity(createRendererSelector(renderers)(replica).render(replica));
}

function explainDeclaredClass(declared: InferenceClass, { fleet }: DecidedFleet, flags: CommonFlags, io: Io): void {
  const pools = pricePools(fleet, declared);
  const fields = { class: declared.metadata.name, spec: declared.spec, pools };
  const format = (): Block[] => (flags.quiet ? formatClassPrices(pools) : formatClassExplanation(declared, pools));
  printResult('ClassExplanation', fields, format, { flags, io });
}
