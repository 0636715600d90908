import type { EngineView, MemberAdditions, RunAsUser } from '../../analyze/explain/engine-views';
import { joinNames } from '../../base/text';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import { commandOfAddition } from '../../fleet/models/model-addition';
import { type Block, indent, strong, type Text } from '../document/document';
import { formatMemory } from './memory-bar';

const EVIDENCE_TEXT: Readonly<Record<EngineView['by'], (evidence: string) => string>> = {
  runtime: () => 'as declared',
  command: (program) => `by its command '${program}'`,
  image: (image) => `by its image ${image}`,
  nothing: (image) => `because the runtime of image ${image} is unknown`,
};

/** Formats how each engine of a deployment runs: one line per engine, with lines for users and members below. */
export function formatEngines(engines: readonly EngineView[]): Block[] {
  const items = engines.map((view) => ({
    text: formatEngine(view),
    below: [
      ...formatRunAsUsers(view.users, ENGINE_PROFILES[view.runtime].title),
      ...view.added.map(formatAdditions),
      ...view.memory.map(formatMemory),
      ...(view.unknownModel === undefined ? [] : [describeUnchecked(view.unknownModel)]),
    ],
  }));
  return indent(items);
}

function formatEngine({ engine, copies, runtime, by, evidence, port, readinessPath }: EngineView): Text {
  const health = readinessPath === undefined ? 'not checked for readiness' : `ready when ${readinessPath} succeeds`;
  const scaled = copies ? `; ${copies.min} to ${copies.max} copies by ${joinNames(copies.by)}` : '';
  return ['engine ', strong(engine), `: ${runtime}, ${EVIDENCE_TEXT[by](evidence)}; port ${port}, ${health}${scaled}`];
}

function describeUnchecked(model: string): string {
  return `memory is not checked: the model catalog has no '${model}'. Add a row with ${commandOfAddition(model)}`;
}

function formatAdditions({ role, args, env }: MemberAdditions): string {
  return `added for ${role}: ${[...args, ...env.map((name) => `$${name}`)].join(' ')}`;
}

function formatRunAsUsers(users: readonly RunAsUser[], title: string): string[] {
  return users.map((view) => `${users.length > 1 ? `${view.roles.join(', ')} ` : ''}${describeRunAsUser(view, title)}`);
}

function describeRunAsUser({ user, by, needed }: RunAsUser, title: string): string {
  const name = user === 0 ? 'root' : `user ${user}`;
  if (by === 'nothing') return 'runs as the user of its image, which may be root. If it is not, set runAsNonRoot';
  if (by === 'template')
    return `runs as ${user === undefined ? 'the user of its image, never as root' : name}, as declared`;
  if (user !== 0) return `runs as ${name}, as the image of ${title} does`;
  return needed
    ? `runs as root, because the files of the image of ${title} belong to root`
    : `runs as root, as the image of ${title} does. For another user, set runAsUser and mount a writable folder`;
}
