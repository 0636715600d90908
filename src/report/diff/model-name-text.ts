import { resourceIdOf } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import { formatRoundPercent } from '../../base/figures';
import { joinNames } from '../../base/text';
import type { GateFinding } from '../../diff/gate-findings';
import type { LostModels } from '../../diff/lost-names';
import type { Advice } from './choices';

/** What is wrong with the names of models that clients request, and what to do about it. */
interface ModelNameText extends Pick<Advice, 'hint' | 'steps'> {
  readonly what: string;
}

type FindingOf<K extends GateFinding['kind']> = Extract<GateFinding, { kind: K }>;

/** Describes a name that a service no longer has. Clients can use its successor when engines have restarted with it. */
export function describeGone({ service, model, renamedTo }: FindingOf<'model-gone'>): ModelNameText {
  const what = `${resourceIdOf(service)}: the model '${model}' is no longer served`;
  if (renamedTo !== undefined) return { what, ...adviseRenaming(qualifiedNameOf(service), model, renamedTo) };
  return {
    what,
    hint: 'Keep the name next to the new one (vLLM: both as separate arguments behind --served-model-name), or an endpoint that serves it; if clients no longer request it, add --accept-removals to plan --gate',
  };
}

/** How a service gets another name for its model, without a time in which engines answer to neither. */
function adviseRenaming(service: string, former: string, name: string): Pick<Advice, 'hint' | 'steps'> {
  return {
    hint: `Serve both names until no client requests '${former}'`,
    steps: [
      `In this change, let the engines serve both (vLLM: --served-model-name ${former} ${name}), and keep 'servedModelName' of ${service} as it was`,
      `When all replicas have restarted, clients can use '${name}': set 'servedModelName: ${name}' in a change of its own, which restarts nothing`,
      `When no client requests '${former}', remove it from the engines in a later change, which restarts the replicas again: for that change, add --accept-removals to plan --gate`,
    ],
  };
}

/** Describes a service that lists a name which its engines do not serve. */
export function describeUnannounced({
  service,
  model,
  former,
  deployments,
}: FindingOf<'model-unanswered'>): ModelNameText {
  const names = joinNames(deployments.map(qualifiedNameOf));
  const verb = deployments.length === 1 ? 'serves' : 'serve';
  return {
    what: `${resourceIdOf(service)} lists '${model}' instead of '${former}' as its model, but ${names} only ${verb} '${former}': requests for '${model}' get 404`,
    hint: `Let the engines serve both names (vLLM: --served-model-name ${former} ${model}), or keep 'servedModelName: ${former}'; if no client asks which models there are, add --accept-removals to plan --gate`,
  };
}

/** Describes requests of a service that fail because some engines behind it do not serve their model. */
export function describeUnanswered({
  service,
  model,
  match,
  share,
  deployments,
  names: own,
  served,
}: FindingOf<'requests-fail'>): ModelNameText {
  const names = joinNames(deployments.map(qualifiedNameOf));
  const verb = deployments.length === 1 ? 'does' : 'do';
  const lacks = served ? `no longer ${deployments.length === 1 ? 'serves' : 'serve'} it` : `${verb} not serve it`;
  const part = share === 1 ? 'all' : `${formatRoundPercent(share)} of the`;
  const which = match === undefined ? '' : ` with ${match}`;
  const both = [model, ...own.filter((one) => one !== model)].join(' ');
  return {
    what: `${resourceIdOf(service)}: ${part} requests for the model '${model}'${which} fail: ${names} ${lacks}`,
    hint: `Let ${deployments.length === 1 ? 'its engine' : 'their engines'} serve '${model}' too (vLLM: --served-model-name ${both}) until no client requests it; if no client does, add --accept-removals to plan --gate`,
  };
}

/** Describes names that a deployment without a known service no longer serves. */
export function describeLostNames({ deployment, models, ...lost }: FindingOf<'names-gone'>): ModelNameText {
  const [noun, are, them] = models.length === 1 ? ['model', 'is', 'it'] : ['models', 'are', 'them'];
  return {
    what: `${resourceIdOf(deployment)}: the ${noun} ${joinNames(models.map((one) => `'${one}'`))} ${are} no longer served`,
    hint: `${adviseOnNames(models.length, lost)} until no client requests ${them}; if no client does, add --accept-removals to plan --gate`,
  };
}

/** What to keep for clients of names that are no longer served: `Keep the adapters`. */
function adviseOnNames(
  count: number,
  { adaptersOnly, otherModel }: Pick<LostModels, 'adaptersOnly' | 'otherModel'>,
): string {
  if (adaptersOnly) return `Keep the adapter${count === 1 ? '' : 's'}`;
  return otherModel
    ? 'Add the new model as a deployment of its own, and keep this one'
    : 'Keep the name next to the new one';
}
