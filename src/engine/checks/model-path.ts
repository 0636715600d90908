import { warningAt } from '../../base/diagnostic';
import { findNamedModel } from '../named-model';
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
  const what = `${title} loads its model from ${folder}, and the cache is mounted at ${files.model}: the engine will not start, and its memory is not checked`;
  yield warningAt('unmounted-model', containerPathOf(subject, named.path), what, `Use '${files.model}'`);
};

function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
