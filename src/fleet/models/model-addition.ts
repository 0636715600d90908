/** `OWNER/NAME`, without anything that a shell reads. */
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/**
 * The command that adds the row of a model to a model catalog, and what its argument is.
 *
 * @param models the models that the catalog lacks. The command names a single one
 */
export function commandOfAddition(...models: readonly string[]): string {
  const [name = '', ...others] = models;
  const named = REPOSITORY.test(name) && others.length === 0 ? ` --name ${name}` : '';
  return `'fleetwright model add FOLDER${named}', where FOLDER has the config.json of the model`;
}
