import { type ContainerSettings, findSetting, type GivenValue } from './container-settings';

/** The name of a repository, unlike that of a directory. llama.cpp also accepts a quantization suffix. */
const REPOSITORY = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(:[\w.-]+)?$/;

/** Whether a text is the name of a repository of models rather than a directory. */
export function isRepository(text: string): boolean {
  return REPOSITORY.test(text);
}

/** The model that a container names: a repository or a directory. */
export function findNamedModel(settings: ContainerSettings): GivenValue | undefined {
  const [first] = settings.positionals;
  return (
    findSetting(settings, settings.profile.model) ?? (first && { name: 'model', value: first.text, path: first.path })
  );
}
