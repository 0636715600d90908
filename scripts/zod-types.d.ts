/**
 * The part of zod's types that declarations of the package use. `npm run build` puts it in the place of zod there: the
 * declarations of zod import each other in a way that compilers without `esModuleInterop` refuse.
 */
export declare namespace z {
  interface ZodType<O = unknown, I = unknown, Internals = unknown> {
    readonly _zod: { readonly output: O; readonly input: I; readonly internals?: Internals };
  }
  type output<T> = T extends { readonly _zod: { readonly output: infer O } } ? O : never;
  type input<T> = T extends { readonly _zod: { readonly input: infer I } } ? I : never;

  namespace core {
    interface $strict {
      readonly unknownKeys: 'error';
    }
    interface $strip {
      readonly unknownKeys: 'drop';
    }
    interface $ZodTypeInternals<O = unknown, I = unknown> {
      readonly output: O;
      readonly input: I;
    }
    type CheckFn<T> = (input: { readonly value: T }) => void;
  }

  /** A schema whose field a document may leave out (`optin`), and that may be absent when it is read (`optout`). */
  interface MayBeAbsent {
    readonly _zod: { readonly optin: 'optional' };
  }
  interface StaysAbsent {
    readonly _zod: { readonly optout: 'optional' };
  }
  type Flat<T> = { [K in keyof T]: T[K] } & {};
  type OutputOf<S> = Flat<
    { -readonly [K in keyof S as S[K] extends StaysAbsent ? never : K]: output<S[K]> } & {
      -readonly [K in keyof S as S[K] extends StaysAbsent ? K : never]?: output<S[K]>;
    }
  >;
  type InputOf<S> = Flat<
    { -readonly [K in keyof S as S[K] extends MayBeAbsent ? never : K]: input<S[K]> } & {
      -readonly [K in keyof S as S[K] extends MayBeAbsent ? K : never]?: input<S[K]>;
    }
  >;

  type ZodString = ZodType<string, string>;
  type ZodURL = ZodType<string, string>;
  type ZodInt = ZodType<number, number>;
  type ZodNumber = ZodType<number, number>;
  type ZodBoolean = ZodType<boolean, boolean>;
  type ZodUnknown = ZodType<unknown, unknown>;
  type ZodCustom<O, I> = ZodType<O, I>;
  type ZodTransform<O, I> = ZodType<O, I>;
  type ZodLiteral<T> = ZodType<T, T>;
  type ZodEnum<T extends Readonly<Record<string, string | number>>> = ZodType<T[keyof T], T[keyof T]>;
  type ZodArray<T> = ZodType<output<T>[], input<T>[]>;
  type ZodRecord<K, V> = ZodType<Record<output<K> & string, output<V>>, Record<input<K> & string, input<V>>>;
  type ZodUnion<T extends readonly unknown[]> = ZodType<output<T[number]>, input<T[number]>>;
  type ZodTuple<T extends readonly unknown[], R = null> = ZodType<
    R extends null ? { -readonly [K in keyof T]: output<T[K]> } : [...{ [K in keyof T]: output<T[K]> }, ...output<R>[]],
    R extends null ? { -readonly [K in keyof T]: input<T[K]> } : [...{ [K in keyof T]: input<T[K]> }, ...input<R>[]]
  >;
  type ZodNullable<T> = ZodType<output<T> | null, input<T> | null>;
  type ZodReadonly<T> = ZodType<Readonly<output<T>>, Readonly<input<T>>>;
  type ZodObject<S, Config = $Any> = ZodType<OutputOf<S>, InputOf<S>, Config>;
  type $Any = core.$strict | core.$strip;
  type ZodOptional<T> = ZodType<output<T> | undefined, input<T> | undefined> & MayBeAbsent & StaysAbsent;
  type ZodDefault<T> = ZodType<Exclude<output<T>, undefined>, input<T> | undefined> & MayBeAbsent;
  type ZodPrefault<T> = ZodType<output<T>, input<T> | undefined> & MayBeAbsent;
  type ZodPipe<A, B> = ZodType<output<B>, input<A>> &
    (A extends MayBeAbsent ? MayBeAbsent : unknown) &
    (B extends StaysAbsent ? StaysAbsent : unknown);
}
