/** Where a row of the catalogue comes from. Every row says so. */
export interface SourcedRow {
  /** The page, data set or output that states the row. */
  readonly source: string;

  /** The day on which it was read: `2026-07-20`. */
  readonly asOf: string;

  /** The fields that the source does not state itself: general knowledge or a third party's copy. */
  readonly secondHand?: readonly string[];
}
