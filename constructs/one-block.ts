/**
 * Props of which a field names the one block that is set: with `source: 'EKS'`, `eks` is required, and the blocks of
 * other sources are refused.
 *
 * `Blocks` has the name of the block by the value of the field.
 */
export type OneBlock<Props, Field extends keyof Props, Blocks extends Readonly<Record<string, keyof Props>>> = Omit<
  Props,
  Field | Blocks[keyof Blocks]
> &
  {
    [Value in keyof Blocks]: Chosen<Props, Field, Value> &
      Present<Props, Blocks[Value]> &
      Absent<Exclude<Blocks[keyof Blocks], Blocks[Value]>>;
  }[keyof Blocks];

/** The same for a field that may be left out, and then any block may be set. The block of the value may be left out. */
export type AtMostOneBlock<
  Props,
  Field extends keyof Props,
  Blocks extends Readonly<Record<string, keyof Props>>,
> = Omit<Props, Field | Blocks[keyof Blocks]> &
  (
    | (Absent<Field> & Pick<Props, Blocks[keyof Blocks]>)
    | {
        [Value in keyof Blocks]: Chosen<Props, Field, Value> &
          Pick<Props, Blocks[Value]> &
          Absent<Exclude<Blocks[keyof Blocks], Blocks[Value]>>;
      }[keyof Blocks]
  );

// Mapped over a Pick, so that editors show the words of the fields.
type Chosen<Props, Field extends keyof Props, Value> = { readonly [P in keyof Pick<Props, Field>]-?: Value };
type Present<Props, Block extends keyof Props> = {
  readonly [P in keyof Pick<Props, Block>]-?: NonNullable<Props[P]>;
};
type Absent<Names extends PropertyKey> = { readonly [P in Names]?: undefined };
