import 'server-only'
import { type Statement, statement } from '@/lib/server/database/statement'
import { type Columns, columnArrays, columnNames } from './pg-array'

/** Cells of the history that have a number together. */
export type NumberedCells = {
  columns: Columns
  /** What the number is looked up by, as SQL over the columns. */
  digest: string
  /** The number, as SQL over r's columns and its `digest`. The function, which is slow and makes numbers, is called for what is new. */
  number: (digest: string) => string
}

export const ADDRESS: NumberedCells = {
  columns: [['address', 'text']],
  digest: 'address',
  number: (digest) =>
    `coalesce((SELECT a.id FROM history_address a WHERE a.address = ${digest}), number_address(${digest}))`,
}

export const POINT: NumberedCells = {
  columns: [
    ['type_id', 'text'],
    ['framework', 'text'],
    ['capacity', 'int'],
    ['used', 'int'],
    ['spare', 'int'],
    ['orphan', 'int'],
    ['is_returning', 'int'],
    ['creatable', 'int'],
    ['type_name', 'text'],
    ['model', 'text'],
  ],
  digest: `history_digest(ARRAY[type_id, type_name, model, framework, capacity::text, used::text, spare::text, orphan::text,
    is_returning::text, creatable::text])`,
  number: (digest) => `coalesce((SELECT p.id FROM pgpu_point p WHERE p.digest = ${digest}),
    number_point(${digest}, r.type_id, r.type_name, r.model, r.framework, r.capacity, r.used, r.spare, r.orphan, r.is_returning,
      r.creatable))`,
}

export const OWNER: NumberedCells = {
  columns: [
    ['flavor_name', 'text'],
    ['project_id', 'text'],
    ['project_name', 'text'],
  ],
  digest: 'history_digest(ARRAY[flavor_name, project_id, project_name])',
  number: (digest) => `coalesce((SELECT o.id FROM guest_owner o WHERE o.digest = ${digest}),
    number_owner(${digest}, r.flavor_name, r.project_id, r.project_name))`,
}

/** Lists travel as text. */
export const HELD: NumberedCells = {
  columns: [
    ['addresses', 'text'],
    ['type_ids', 'text'],
  ],
  digest: 'history_digest(ARRAY[addresses::text[]::text, type_ids::text[]::text])',
  number: (digest) => `coalesce((SELECT v.id FROM held_vgpus v WHERE v.digest = ${digest}),
    number_held(${digest}, r.addresses::text[], r.type_ids::text[]))`,
}

/** The numbers of cells in the order in which they are given, one array parameter a column. */
export const findNumbers = ({ columns, digest, number }: NumberedCells): Statement =>
  statement(`
SELECT ${number('r.wanted')} AS id
FROM (
  SELECT *, ${digest} AS wanted
  FROM unnest(${columnArrays(columns)}) WITH ORDINALITY AS t (${columnNames(columns)}, place) OFFSET 0) r
ORDER BY r.place`)
