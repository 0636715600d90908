import { formatCount } from '../../base/figures';
import type { Block } from '../document/document';
import { type DeploymentRow, isDown } from './deployment-rows';

/** The most deployments that go down without a list of their names: the table names them. */
const MAX_DOWN = 3;

/** The most names on a line. */
const NAMES_PER_LINE = 6;

function listNames(names: readonly string[]): string[] {
  const lines = Math.ceil(names.length / NAMES_PER_LINE);
  return Array.from({ length: lines }, (_, line) =>
    names.slice(line * NAMES_PER_LINE, (line + 1) * NAMES_PER_LINE).join(', '),
  );
}

/** The folds with all names of deployments that go down, and of those that share a row. */
export function listNameFolds(
  rows: readonly DeploymentRow[],
  grouped: readonly DeploymentRow[],
): [string, readonly Block[]][] {
  const down = rows.filter(isDown).flatMap(({ deployments }) => deployments);
  return [
    [`Deployments that go down: ${formatCount(down.length)}`, down.length > MAX_DOWN ? listNames(down) : []],
    ['Deployments of rows that count several', formatGroups(grouped)],
  ];
}

/** The names of deployments that share a row and do not go down, below what happens to them. */
function formatGroups(rows: readonly DeploymentRow[]): Block[] {
  const groups = rows.filter((row) => row.deployments.length > 1 && !isDown(row));
  return groups.flatMap(({ deployments }): Block[] => [
    `${formatCount(deployments.length)} deployments: ${deployments[0]} …`,
    { indent: 4, blocks: listNames(deployments) },
  ]);
}
