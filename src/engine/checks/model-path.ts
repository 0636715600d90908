import { warningAt } from '../../base/diagnostic';
import type { MemberContainer } from '../command-line';
import { findNamedModel, isRepository } from '../named-model';
import { containerPathOf, type MemberCheck } from './member-check';

/** Checks that a folder that an engine loads its model from is where the cache of its deployment is mounted. */
export const checkModelMounted: MemberCheck = function* (subject) {
  const { settings, files, member } = subject;
  const named = findNamedModel(settings);
  if (files.model === undefined || named?.value === undefined || !named.value.startsWith('/')) return;
  if (named.name === 'model' && !settings.profile.model.positional) return;
  const folder = named.value;
  const { volumeMounts = [] } = member.template.spec.containers[0];
  const mounted = [files.model, ...volumeMounts.map(({ mountPath }) => mountPath)];
  if (mounted.some((path) => isInside(folder, path))) return;
  const { title } = settings.profile;
  const what = `${title} loads its model from ${folder}, and the cache is mounted at ${files.model}: the engine does not start, and its memory is not checked`;
  yield warningAt('unmounted-model', containerPathOf(subject, named.path), what, `Use '${files.model}'`);
};

/** Checks that an engine does not fetch a model by its name although a cache is staged for it. */
export const checkCacheServed: MemberCheck = function* (subject) {
  const { settings, files, member } = subject;
  const named = findNamedModel(settings);
  if (files.model === undefined || named?.value === undefined || !isRepository(named.value)) return;
  if (!settings.profile.model.directory || member.role === 'Worker') return;
  if (mentions(member.template.spec.containers[0], files.model)) return;
  const { title } = settings.profile;
  const what = `${title} downloads ${named.value} at each start and does not use the cache of modelCacheRef, which is staged for nothing`;
  const hint = `Remove the name: Fleetwright adds '${files.model}'. Or remove modelCacheRef`;
  yield warningAt('unmounted-model', containerPathOf(subject, named.path), what, hint);
};

/** Whether a container has the folder of the cache in its arguments or variables, such as for a tokenizer. */
function mentions({ command = [], args = [], env }: MemberContainer, folder: string): boolean {
  return [...command, ...args, ...env.map(({ value = '' }) => value)].some((text) => text.includes(folder));
}

function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
