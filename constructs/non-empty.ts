/**
 * A list that is not written as `[]`. A list that a program computes is accepted, and checked when the fleet is placed: its
 * type does not say whether it has an item.
 */
export type NonEmpty<Item> = readonly Item[] & TakesAny;

/** What a list of any items has, and `[]` does not: as a list of `never`, its function takes nothing. */
interface TakesAny {
  readonly indexOf: {
    // `unknown` would refuse lists too: a function that takes only items does not take everything.
    // oxlint-disable-next-line typescript/no-explicit-any
    (item: any, fromIndex?: number): number;

    // The last form is the one from which the type of an item is inferred: this one leaves it to the list.
    (item: never, fromIndex?: number): number;
  };
}
