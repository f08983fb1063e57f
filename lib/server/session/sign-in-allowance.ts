import 'server-only'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Query } from '../database/database'

/**
 * Failed sign-ins that are allowed without a pause, and the seconds until one more is allowed.
 * - `address`: of all accounts.
 * - `pair`: of one account from one address.
 * - `account`: of one account from all addresses that it has not signed in from: with `ACCOUNT_DEBT_SECONDS` 60 in any hour.
 * - `first`, `second`: of one account from one network. What it may try although others have used up the allowance of the
 *   account.
 */
export const SIGN_IN_ALLOWANCES = {
  address: { burst: 40, pauseSeconds: 6 },
  pair: { burst: 8, pauseSeconds: 60 },
  account: { burst: 15, pauseSeconds: 120 },
  first: { burst: 1, pauseSeconds: 24 * 3600 },
  second: { burst: 1, pauseSeconds: 24 * 3600 },
} as const

/** However many networks fail, the account has its allowance back so long after the last of them. */
const MAX_DEBT_SECONDS = 7200
/** How far second tries may overdraw the account's allowance: by 15. */
export const ACCOUNT_DEBT_SECONDS = 1800

export type AllowanceKind = keyof typeof SIGN_IN_ALLOWANCES
type Request = { kind: AllowanceKind; what: string; now: Date }

/** Names and addresses are not stored: what people type as a name is at times their password. */
const keyOf = ({ kind, what }: Request): string =>
  `${kind}:${createHash('sha256').update(what).digest('base64url')}`

// SQL: each statement reads and changes an allowance atomically, so that all consoles count the same attempts.
const TAKE = `
INSERT INTO sign_in_allowance AS a (key, full_at)
VALUES ($1, $2::timestamptz + make_interval(secs => $3::float8))
ON CONFLICT (key) DO UPDATE
  SET full_at = GREATEST(a.full_at, $2::timestamptz) + make_interval(secs => $3::float8)
  WHERE GREATEST(a.full_at, $2::timestamptz) <= $2::timestamptz + make_interval(secs => $3::float8 * ($4::int - 1) + $5::float8)
RETURNING key`

const OVERDRAW = `
INSERT INTO sign_in_allowance AS a (key, full_at)
VALUES ($1, $2::timestamptz + make_interval(secs => $3::float8))
ON CONFLICT (key) DO UPDATE SET full_at = LEAST(
  GREATEST(a.full_at, $2::timestamptz) + make_interval(secs => $3::float8),
  $2::timestamptz + make_interval(secs => $3::float8 * $4::int + $5::float8))`

const GIVE_BACK = `
UPDATE sign_in_allowance SET full_at = full_at - make_interval(secs => $2::float8) WHERE key = $1`

const FORGET_FULL = `DELETE FROM sign_in_allowance WHERE full_at < $1::timestamptz`

/**
 * Takes one; 0 when it was there, else the seconds after which it is worth trying again. `debtSeconds`: the allowance may be
 * overdrawn so far. Shared by all replicas.
 */
export const takeSignIn = async (query: Query, request: Request, debtSeconds = 0): Promise<number> => {
  const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES[request.kind]
  const key = keyOf(request)
  const taken = await query(TAKE, [key, request.now, pauseSeconds, burst, debtSeconds])
  if (taken.length > 0) return 0
  const [row] = await query(
    'SELECT full_at AS "fullAt" FROM sign_in_allowance WHERE key = $1',
    [key],
    z.object({ fullAt: z.date() }),
  )
  const waitMs = (row?.fullAt ?? request.now).getTime() - request.now.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000 - pauseSeconds * (burst - 1) - debtSeconds))
}

/** Takes one although there is none: others have to wait longer for theirs. */
export const overdrawSignIn = async (query: Query, request: Request): Promise<void> => {
  const { burst, pauseSeconds } = SIGN_IN_ALLOWANCES[request.kind]
  await query(OVERDRAW, [keyOf(request), request.now, pauseSeconds, burst, MAX_DEBT_SECONDS])
}

/** An attempt that was no wrong guess costs nothing. */
export const giveBackSignIn = async (query: Query, request: Request): Promise<void> => {
  await query(GIVE_BACK, [keyOf(request), SIGN_IN_ALLOWANCES[request.kind].pauseSeconds])
}

export const forgetFullAllowances = async (query: Query, now: Date): Promise<void> => {
  await query(FORGET_FULL, [now])
}
