/* The part of zod that the schemas of answers use. In the browser it is replaced by browser-mini.ts, which has the same
    names. Of the whole of zod, Next's bundler keeps 20 kB in every page, and of these names alone 9 kB. */
export {
  array,
  boolean,
  config,
  custom,
  discriminatedUnion,
  enum,
  extend,
  type infer,
  int,
  literal,
  maxLength,
  meta,
  minLength,
  nullable,
  number,
  object,
  optional,
  pick,
  refine,
  string,
  tuple,
  union,
  unknown,
} from 'zod/mini'
export { safeParse } from 'zod/v4/core'
