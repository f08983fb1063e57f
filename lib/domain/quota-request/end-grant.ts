/** A limit that was granted for a time; values as Keystone has them, null: no limit of the project's own. */
export type Grant = {
  id: number
  value: number
  /** The project's own limit when the request was approved. */
  before: number | null
}

/**
 * What happens to a grant at its end date. `take-back`: the limit has the granted value, so it is reset to `to`.
 * `hand-on`: a later grant builds on this one and is reset to `to` at its end. `leave`: it has another value, which was
 * written elsewhere.
 */
export type GrantEnd =
  | { kind: 'take-back'; to: number | null }
  | { kind: 'hand-on'; heir: number; to: number | null }
  | { kind: 'there' }
  | { kind: 'leave' }

/** `now`: the project's own limit as it is, null: none. `others`: grants of the same limit that still hold. */
export const endGrant = (
  grant: Grant,
  { now, others }: { now: number | null; others: readonly Grant[] },
): GrantEnd => {
  const heir = others.find(({ before }) => before === grant.value)
  if (heir !== undefined && now !== grant.value) return { kind: 'hand-on', heir: heir.id, to: grant.before }
  if (now === grant.value) return { kind: 'take-back', to: grant.before }
  return now === grant.before ? { kind: 'there' } : { kind: 'leave' }
}
