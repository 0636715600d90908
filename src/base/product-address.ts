/** The address of the repository. package.json repeats it, and a test compares them. */
export const REPOSITORY = 'https://github.com/fleetwright/fleetwright';

/** Where the pages of `docs` are, without a page. */
export const DOCS_ADDRESS = `${REPOSITORY}/blob/main/docs`;
