import type { ClusterCards } from './cluster-cards';

const CELL = '[role="gridcell"]';

/** Returns the cell that a key leads to from a cell of the map, or undefined at an edge. */
type CellStep = (cell: HTMLElement, map: ClusterCards) => HTMLElement | undefined;

/** The steps of each key: arrows move by node and pool, Home and End within a pool, PageUp and PageDown by cluster. */
export const CELL_STEPS: Readonly<Record<string, CellStep | undefined>> = {
  ArrowRight: (cell) => along(cell, 1),
  ArrowLeft: (cell) => along(cell, -1),
  ArrowDown: (cell, map) => across(cell, 1, map),
  ArrowUp: (cell, map) => across(cell, -1, map),
  Home: (cell) => cellsOf(rowOf(cell)).at(0),
  End: (cell) => cellsOf(rowOf(cell)).at(-1),
  PageDown: (cell, map) => neighbouringCard(cell, 1, map),
  PageUp: (cell, map) => neighbouringCard(cell, -1, map),
};

export function findFirstCell(card: HTMLElement): HTMLElement | undefined {
  return card.querySelector<HTMLElement>(CELL) ?? undefined;
}

/** Returns the next cell of the same pool, across the states of a comparison. */
function along(cell: HTMLElement, step: number): HTMLElement | undefined {
  const pool = rowOf(cell)?.dataset.pool;
  const rows = rowsOf(cell.closest('.card')).filter((row) => row.dataset.pool === pool);
  const cells = rows.flatMap(cellsOf);
  return cells[cells.indexOf(cell) + step];
}

/** Returns the cell at the same position in the next pool, on this cluster or the next. */
function across(cell: HTMLElement, step: -1 | 1, map: ClusterCards): HTMLElement | undefined {
  const row = rowOf(cell);
  const card = cell.closest<HTMLElement>('.card');
  if (!row || !card) return undefined;
  const at = cellsOf(row).indexOf(cell);
  const stateRows = rowsOf(card).filter(({ dataset }) => dataset.state === row.dataset.state);
  const next = stateRows[stateRows.indexOf(row) + step];
  if (next) return cellAt(next, at);
  const other = map.neighbourOf(card, step);
  const rows = rowsOf(other).filter(({ dataset }) => dataset.state === row.dataset.state);
  return cellAt(rows.at(step === 1 ? 0 : -1), at);
}

function neighbouringCard(cell: HTMLElement, step: -1 | 1, map: ClusterCards): HTMLElement | undefined {
  const card = cell.closest<HTMLElement>('.card');
  const other = card ? map.neighbourOf(card, step) : undefined;
  return other && findFirstCell(other);
}

function cellAt(row: HTMLElement | undefined, at: number): HTMLElement | undefined {
  const cells = cellsOf(row);
  return cells[Math.min(at, cells.length - 1)];
}

function rowOf(cell: HTMLElement): HTMLElement | undefined {
  return cell.closest<HTMLElement>('[role="row"]') ?? undefined;
}

function rowsOf(card: Element | null | undefined): HTMLElement[] {
  return [...(card?.querySelectorAll<HTMLElement>('[role="row"]') ?? [])];
}

function cellsOf(row: HTMLElement | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CELL) ?? [])];
}
