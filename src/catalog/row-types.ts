/** The source of a catalogue row. Every row has one. */
export interface SourcedRow {
  /** The page, data set or output that states the row. */
  readonly source: string;

  /** The day on which the source was read: `2026-07-20`. */
  readonly asOf: string;

  /** The fields that the source does not state: general knowledge, or a copy by a third party. */
  readonly secondHand?: readonly string[];
}
