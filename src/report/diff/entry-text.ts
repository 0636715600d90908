import { resourceIdOf } from '../../api/kinds';
import type { ModelService } from '../../api/model-service';
import { redactValue } from '../../api/secret-detection';
import { formatRoundPercent } from '../../base/figures';
import { joinAnd, joinNames } from '../../base/text';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { EntryLostFinding, ShareStepFinding } from '../../diff/entry-findings';
import { dedupeCauses } from '../../diff/replica-causes';
import { hintAtLabels } from '../../routing/checks/nearest-labels';
import type { LocatedFleet } from '../plan/plan-annotations';
import { CITE_IN_FULL, type CiteEdits } from './change-sentences';

/** The most names of what gets the requests of a lost entry. */
const MAX_NAMED = 3;

interface EntryText {
  /** What is wrong, as a clause without a full stop. */
  readonly what: string;
  readonly hint: string;
}

/** Describes an entry that selects nothing any more, or that another one shadows, and what to do. */
export function describeLostEntry(
  finding: EntryLostFinding,
  { fleet, cite = CITE_IN_FULL }: LocatedFleet & { readonly cite?: CiteEdits },
): EntryText {
  const { service, entry, others, heirs, lost, scaledToZero, evicted = [], shadowedBy } = finding;
  if (shadowedBy) return describeShadowed(finding, shadowedBy);
  if (scaledToZero) return describeScaledToZero(finding, scaledToZero);
  const had = describeShareOf(finding);
  const to = heirs.length > 0 ? `now go to ${joinNames(heirs, MAX_NAMED)}` : 'go to other entries';
  const other = others ? to : 'get no answer';
  const what = `${nameEntry(finding)} selects nothing any more${had === '' ? '' : `${had}, which ${other}`}`;
  if (lost.length > 0) return { what, hint: joinNames(lost.map(formatLostLabel)) };
  if (evicted.length > 0) {
    const { selected, hint } = describeEvicted(finding, evicted, cite);
    return { what: `${what}. ${selected}`, hint };
  }
  const otherwise = 'Correct the selector or the labels, or remove the entry';
  return { what, hint: hintAtLabels(service, entry, fleet, { otherwise }) };
}

function nameEntry({ service, entry }: EntryLostFinding): string {
  return `${resourceIdOf(service)}: ${describeEntry(service, entry)}`;
}

/** `; it had 5 % of the requests`. Empty: it had none. */
function describeShareOf({ service, entry, share }: EntryLostFinding): string {
  return share === 0 ? '' : `; it had ${formatRoundPercent(share)} of ${nameRequests(service, entry)}`;
}

function describeShadowed(
  finding: EntryLostFinding,
  { entry: above, replaced }: NonNullable<EntryLostFinding['shadowedBy']>,
): EntryText {
  const former = replaced && describeEntry(replaced.service, above);
  const moved = replaced
    ? `; spec.endpoints[${above}] was ${former} before, which loses its ${formatRoundPercent(replaced.share)}`
    : '';
  const because = `because spec.endpoints[${above}] above it selects everything that it selects`;
  const what = `${nameEntry(finding)} (spec.endpoints[${finding.entry}]) gets no requests any more, ${because}${describeShareOf(finding)}${moved}`;
  return { what, hint: 'Correct the selector of the entry above, move this entry up, or remove it' };
}

function describeScaledToZero(finding: EntryLostFinding, ids: readonly string[]): EntryText {
  const { service, entry, others } = finding;
  const each = `${joinNames(ids)} ${ids.length === 1 ? 'has' : 'have'} 'replicas: 0'`;
  const entries = `, so ${describeEntry(service, entry)} selects nothing any more${describeShareOf(finding)}`;
  return {
    what: `${resourceIdOf(service)}: ${each}${others ? entries : ': its service answers nothing'}`,
    hint: others
      ? 'Keep a replica, or remove the entry too; if the entry has to stay, add --accept-removals to plan --gate'
      : 'Keep a replica; or add --accept-removals to plan --gate, which removing the service needs too',
  };
}

function formatLostLabel({ target, label, where, misspelt }: EntryLostFinding['lost'][number]): string {
  const meant = misspelt === undefined ? '' : `: did you mean ${label} instead of ${misspelt}?`;
  return `${target} lost ${label} (${where})${meant}`;
}

/** What is wrong with what an entry selects, although its selector is right, and what to do. */
function describeEvicted(
  { service, others }: EntryLostFinding,
  evicted: readonly DeploymentDiff[],
  cite: CiteEdits,
): { readonly selected: string; readonly hint: string } {
  const ids = joinNames(evicted.map(({ deployment }) => deployment));
  const causes = dedupeCauses(evicted.flatMap(({ changes }) => changes.flatMap((change) => change.causes)));
  const [lose, are, them] = evicted.length === 1 ? ['loses', 'is', 'it'] : ['lose', 'are', 'them'];
  const entry = others ? 'the entry' : resourceIdOf(service);
  return {
    selected: `It selects ${ids}, which ${lose} the places of all replicas${cite.because(causes)}`,
    hint: `Give a replica a place; or, if ${ids} ${are} to end, remove ${them} and ${entry} too`,
  };
}

/** Describes entries whose shares change by too large a step, and which weight passes. */
export function describeShareSteps(finding: ShareStepFinding): EntryText {
  const { service, steps } = finding;
  const { maxShareChange } = service.spec;
  const shares = steps.map(({ entry, target, before, after }, i) => {
    const name = target ?? describeEntry(service, entry);
    const verb = i === 0 ? ' gets' : '';
    return `${name}${verb} ${formatRoundPercent(after)} instead of ${formatRoundPercent(before)} of ${nameRequests(service, entry)}`;
  });
  const step = steps.length === 1 ? 'a larger step' : 'larger steps';
  return {
    what: `${resourceIdOf(service)}: ${joinAnd(shares)}, ${step} than maxShareChange: ${maxShareChange}`,
    hint: `${describeSmallerStep(finding)}, or raise 'maxShareChange'`,
  };
}

function describeSmallerStep({ service, steps, passing }: ShareStepFinding): string {
  if (passing) {
    const { entry, weight, share } = passing;
    return `In this change, set 'weight: ${weight}' of ${describeEntry(service, entry)}, which is ${formatRoundPercent(share)}`;
  }
  const rising = steps.find(({ before, after }) => after > before);
  if (!rising) return 'Change the weights in smaller steps';
  const most = rising.before + service.spec.maxShareChange / 100;
  return `In this change, send at most ${formatRoundPercent(most)} to ${rising.target ?? describeEntry(service, rising.entry)}`;
}

/** Shares of an entry with conditions are shares of the requests that meet them. */
export function nameRequests({ spec }: ModelService, entry: number): string {
  return spec.endpoints[entry]?.match ? 'these requests' : 'the requests';
}

/** `the entry track=canary`, `the entry track=canary for requests with x-tenant: a`. */
export function describeEntry({ spec }: ModelService, entry: number): string {
  const { selector, match } = spec.endpoints[entry] ?? {};
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const headers = Object.entries(match?.headers ?? {}).map(([name, value]) => `${name}: ${redactValue(value, name)}`);
  const requests = headers.length > 0 ? ` for requests with ${joinNames(headers)}` : '';
  return `the entry ${labels.join(',')}${requests}`;
}
